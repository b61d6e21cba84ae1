import { setTimeout as sleep } from 'node:timers/promises';
import type { ShardLink } from '../gateway/ports.js';
import type { Log } from '../gateway/transport.js';
import { backOff } from '../ops/backoff.js';
import { answerUnknown } from '../shard/host/table-calls.js';
import { HELD_MOST } from '../shard/link.js';
import type { DealtTable } from '../shard/main/lending.js';
import type { ShardReport } from '../shard/main/options.js';
import type { ToShard } from '../shard/messages.js';
import { Displaced } from '../store/node/leadership.js';

export interface LostShardsOptions {
  /** By shard number. */
  links: readonly ShardLink[];
  /** Resolves once there is a shard that could have them. */
  someUp: () => Promise<void>;
  /** Stores whose the tables of a shard are from now on: shards that live, by how many play there. */
  dealOut: (shard: number) => Promise<DealtTable[]>;
  /** They are opened there; the lobby takes their players along. */
  dealt: (shard: number, tables: readonly DealtTable[]) => void;
  /** What a shard would answer that does not have the table. */
  answer: (shard: number, message: ShardReport) => void;
  log: Log;
}

const LONGEST_PAUSE_MS = 1000;
/** Tables whose taker is remembered. */
const REMEMBERED = 10_000;

/** Shards that are lost, until others have their tables. What comes for these waits here meanwhile. */
export class LostShards {
  /** By shard. */
  readonly #held = new Map<number, ToShard[]>();
  /** By table that was dealt out: the shard that has it since. */
  readonly #takers = new Map<string, number>();
  #dealing: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(private readonly options: LostShardsOptions) {}

  /** How many are not dealt out yet. */
  get size(): number {
    return this.#held.size;
  }

  has(shard: number): boolean {
    return this.#held.has(shard);
  }

  /** From now on what comes for it waits. */
  lost(shard: number): void {
    this.#held.set(shard, []);
  }

  /** One after the other: tables that were dealt to a shard that was lost meanwhile are dealt out with its own. */
  deal(shard: number): void {
    this.#dealing = this.#dealing.then(() => this.#deal(shard));
  }

  /**
   * Runs once others have the tables of all that are lost so far, and before any others are dealt out: what is stored as a
   * shard's is then known to it, or was never told to it.
   */
  between(run: () => Promise<void>): Promise<void> {
    const done = this.#dealing.then(run);
    // Whoever asked hears of a failure.
    this.#dealing = done.catch(() => undefined);
    return done;
  }

  stop(): void {
    this.#stopped = true;
  }

  /**
   * Whoever sends there did not know yet that the table is another shard's, as a socket on another node: it goes to that
   * one. False where it was never dealt out.
   */
  redirect(shard: number, message: ToShard): boolean {
    const taker = 'table' in message ? this.#takers.get(message.table) : undefined;
    if (taker === undefined || taker === shard) return false;
    this.options.links[taker]!.send(message);
    return true;
  }

  /** A table that was dealt out has gone on to another shard. */
  moved(table: string, shard: number): void {
    if (this.#takers.has(table)) this.#remember(table, shard);
  }

  /** For a shard that is lost, or was. */
  send(shard: number, message: ToShard): void {
    const held = this.#held.get(shard);
    if (held === undefined) this.#refuse(shard, message);
    else if (held.length < HELD_MOST) held.push(message);
  }

  async #deal(shard: number): Promise<void> {
    const { links } = this.options;
    await this.options.someUp();
    const dealt = await this.#stored(shard);
    if (dealt === null) return;
    // The takers first: what the lobby says of the tables is read after that.
    for (const { opening, shard: to } of dealt) links[to]!.send({ t: 'open', opening, restored: true });
    this.options.dealt(shard, dealt);
    for (const { opening, shard: to } of dealt) this.#remember(opening.tableId, to);
    const held = this.#held.get(shard) ?? [];
    this.#held.delete(shard);
    for (const message of held) {
      if (message.t === 'sit' || !this.redirect(shard, message)) this.#refuse(shard, message);
    }
  }

  #remember(table: string, taker: number): void {
    this.#takers.delete(table);
    this.#takers.set(table, taker);
    const [oldest] = this.#takers.keys();
    if (this.#takers.size > REMEMBERED) this.#takers.delete(oldest!);
  }

  async #stored(shard: number): Promise<DealtTable[] | null> {
    for (let failures = 0; !this.#stopped; failures++) {
      try {
        return await this.options.dealOut(shard);
      } catch (error) {
        // Whoever leads now has them.
        if (error instanceof Displaced) return null;
        const detail = { shard, error: (error as Error).message };
        this.options.log.warn(detail, 'tables of a lost shard cannot be dealt out yet');
        await sleep(backOff(failures, 100, LONGEST_PAUSE_MS), null, { ref: false });
      }
    }
    return null;
  }

  #refuse(shard: number, message: ToShard): void {
    if (!('table' in message)) return;
    const answer = answerUnknown(message);
    // Later: whoever asks may be in the middle of something.
    if (answer !== null) setImmediate(() => this.options.answer(shard, answer as ShardReport));
  }
}
