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
  /** Stores whose the tables of a shard are from now on: shards that live, by how many play there. */
  dealOut: (shard: number) => Promise<DealtTable[]>;
  /** They are opened there; the lobby takes their players along. */
  dealt: (shard: number, tables: readonly DealtTable[]) => void;
  /** What a shard would answer that does not have the table. */
  answer: (shard: number, message: ShardReport) => void;
  log: Log;
}

const LONGEST_PAUSE_MS = 1000;

/** Shards that are lost, until others have their tables. What comes for these waits here meanwhile. */
export class LostShards {
  /** By shard. */
  readonly #held = new Map<number, ToShard[]>();
  #dealing: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(private readonly options: LostShardsOptions) {}

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

  stop(): void {
    this.#stopped = true;
  }

  /** For a shard that is lost, or was. */
  send(shard: number, message: ToShard): void {
    const held = this.#held.get(shard);
    if (held === undefined) this.#refuse(shard, message);
    else if (held.length < HELD_MOST) held.push(message);
  }

  async #deal(shard: number): Promise<void> {
    const { links } = this.options;
    const dealt = await this.#stored(shard);
    if (dealt === null) return;
    // The takers first: what the lobby says of the tables is read after that.
    for (const { opening, shard: to } of dealt) links[to]!.send({ t: 'open', opening, restored: true });
    this.options.dealt(shard, dealt);
    const takers = new Map(dealt.map(({ opening, shard: to }) => [opening.tableId, to]));
    const held = this.#held.get(shard) ?? [];
    this.#held.delete(shard);
    for (const message of held) {
      const to = 'table' in message && message.t !== 'sit' ? takers.get(message.table) : undefined;
      if (to === undefined) this.#refuse(shard, message);
      else links[to]!.send(message);
    }
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
