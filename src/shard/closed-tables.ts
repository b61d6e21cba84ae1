import type { HostedTable } from './hosted.js';

/** Lets closed tables linger, so that a client may still ask what happened; the oldest go first. */
export class ClosedTables {
  readonly #queue: { hosted: HostedTable; until: number }[] = [];

  constructor(
    private readonly tables: Map<string, HostedTable>,
    private readonly most: number,
    private readonly lingerMs: number,
  ) {}

  add(hosted: HostedTable, now: number): void {
    this.#queue.push({ hosted, until: now + this.lingerMs });
    this.evict(now);
  }

  evict(now: number): void {
    while (this.#queue.length > 0 && (this.#queue.length > this.most || this.#queue[0]!.until <= now)) {
      this.tables.delete(this.#queue.shift()!.hosted.id);
    }
  }
}
