import { assert } from '../../ops/assert.js';
import { Fenced } from './queries.js';
import type { Counters } from '../counters.js';
import type { HandRecord } from '../../table/effects.js';

export interface GroupCommitOptions {
  /** Stores all records or none. Rejects with Fenced when the shard was taken over, else because of what it was given. */
  store: (records: readonly HandRecord[]) => Promise<void>;
  /** Tables that may have hands to commit: few of them are never kept waiting. */
  tables: () => number;
  /** How long a batch may wait for more under load at most, in ms. */
  lingerMs: number;
  /** Hears of one hand in a turn of the event loop, in the order in which they were added. */
  onCommitted: (record: HandRecord) => void;
  /** This one record contradicts what is stored (or cannot be stored at all): its hand is void. */
  onRefused: (record: HandRecord, error: Error) => void;
  counters: Counters;
}

/** Below so many tables a batch never waits for company: their players wait for every commit. */
const LINGER_TABLES = 8;
/**
 * A hand waits for company for at most this part of the time of hands. So tables on idle cores slow down by a known
 * part at most. Where none is, a table that waits leaves its part of them to the others.
 */
const LINGER_PART = 0.5;
/** Records of one statement at most. */
const LARGEST_BATCH = 500;
/** Weight of the newest in the running means: of the time between two hands, and of the time that one takes. */
const WEIGHT = 0.1;
const LONGEST_GAP_MS = 100;
const LONGEST_HAND_MS = 1000;

/**
 * Group commit: one transaction in flight, the next batch collects meanwhile, so the batch grows with the load by
 * itself. Under load a batch also lingers before it leaves. A commit costs the shard as much as one more hand, and the
 * database as much as three (docs/explanation/performance.md).
 */
export class GroupCommit {
  #pending: HandRecord[] = [];
  /** When each was added. */
  readonly #endedAt = new WeakMap<HandRecord, number>();
  #busy = false;
  /** Stored, and not told yet. */
  readonly #untold: HandRecord[] = [];
  #telling = false;
  #fenced = false;
  #gapMs = LONGEST_GAP_MS;
  #handMs = 0;
  #lastAt = 0;
  readonly #options: GroupCommitOptions;

  constructor(options: GroupCommitOptions) {
    assert(options.lingerMs >= 0, 'a batch waits for some time', options.lingerMs);
    this.#options = options;
  }

  get idle(): boolean {
    return !this.#busy && this.#untold.length === 0;
  }

  add(record: HandRecord): void {
    const now = performance.now();
    this.#gapMs += WEIGHT * (Math.min(LONGEST_GAP_MS, now - this.#lastAt) - this.#gapMs);
    this.#handMs += WEIGHT * (Math.min(LONGEST_HAND_MS, record.endedAt - record.startedAt) - this.#handMs);
    this.#lastAt = now;
    assert(!this.#endedAt.has(record), 'a hand is stored once', record.handId);
    this.#pending.push(record);
    this.#endedAt.set(record, now);
    if (!this.#busy) this.#begin();
  }

  /** The hands that end in this turn of the event loop go together; then the loop goes on while there are more. */
  #begin(): void {
    if (this.#fenced) return;
    this.#busy = true;
    const start = () => void this.#batch();
    const lingerMs = this.#lingerMs();
    if (lingerMs > 0) setTimeout(start, lingerMs);
    else setImmediate(start);
  }

  /** How much longer what is pending waits for company: not at all where none is to be expected. */
  #lingerMs(): number {
    const { lingerMs, tables } = this.#options;
    const longest = Math.min(lingerMs, LINGER_PART * this.#handMs);
    if (tables() < LINGER_TABLES || this.#gapMs * 2 >= longest) return 0;
    return longest - (performance.now() - this.#endedAt.get(this.#pending[0]!)!);
  }

  async #batch(): Promise<void> {
    const batch = this.#pending.splice(0, LARGEST_BATCH);
    try {
      await this.#commit(batch);
    } catch (error) {
      // Only Fenced gets here: nothing of this shard may be written any more, and it is about to end.
      if (!(error instanceof Fenced)) throw error;
      this.#fenced = true;
    }
    this.#busy = false;
    if (this.#pending.length > 0) this.#begin();
  }

  /** Commits a batch; of one that is refused, what can be: halves tell which record is the bad one. */
  async #commit(batch: readonly HandRecord[]): Promise<void> {
    const { counters } = this.#options;
    const start = performance.now();
    try {
      await this.#options.store(batch);
    } catch (error) {
      if (error instanceof Fenced) throw error;
      if (batch.length === 1) {
        this.#options.onRefused(batch[0]!, error as Error);
        return;
      }
      const middle = batch.length >> 1;
      await this.#commit(batch.slice(0, middle));
      await this.#commit(batch.slice(middle));
      return;
    }
    const now = performance.now();
    const { spans } = counters;
    counters.committedHands += batch.length;
    spans.commit.observe((now - start) / 1000);
    spans.batch.observe(batch.length);
    for (const record of batch) spans.storing.observe((now - this.#endedAt.get(record)!) / 1000);
    this.#untold.push(...batch);
    if (!this.#telling) this.#tell();
  }

  /** With each hand the next one of its table begins: what has come in meanwhile waits for that of one table, not of all. */
  #tell(): void {
    this.#options.onCommitted(this.#untold.shift()!);
    this.#telling = this.#untold.length > 0;
    // After what the table has to say has asked for a turn to leave in: it leaves before the next one is told.
    if (this.#telling) setImmediate(() => this.#tell());
  }
}
