import type { TableSlot } from './table-slot.js';

/** Lets closed tables linger, so that a client may still ask what happened; the oldest go first. */
export class ClosedTables {
  readonly #queue: { slot: TableSlot; until: number }[] = [];

  constructor(
    private readonly tables: Map<string, TableSlot>,
    private readonly most: number,
    private readonly lingerMs: number,
  ) {}

  add(slot: TableSlot, now: number): void {
    this.#queue.push({ slot, until: now + this.lingerMs });
    this.evict(now);
  }

  evict(now: number): void {
    while (this.#queue.length > 0 && (this.#queue.length > this.most || this.#queue[0]!.until <= now)) {
      this.tables.delete(this.#queue.shift()!.slot.id);
    }
  }
}
