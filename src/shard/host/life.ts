import { setTimeout as sleep } from 'node:timers/promises';
import type { SteadyClock } from '../steady-clock.js';
import type { Durable } from '../commit/durable.js';
import type { Posts } from './flusher.js';

/** The parts that a shard's end waits for, or ends. */
export interface Living {
  clock: SteadyClock;
  durable: Durable;
  posts: Posts;
  tables: {
    /** A hand is running at some table. */
    readonly inHand: boolean;
    /** Nothing of the tables waits for the database. */
    readonly quiet: boolean;
    drain(): void;
    /** No table is woken any more. */
    stop(): void;
  };
  /** Everything is said, and nobody is heard any more. */
  close(): void;
  ended: () => void;
}

/** How long the end waits for what is under way in the database. */
const STOP_MS = 3000;
const POLL_MS = 5;

/** How a shard comes to its end: drained and stopped, displaced by another incarnation, or by a fault of its own. */
export class ShardLife {
  #draining = false;
  #ending = false;

  constructor(private readonly of: Living) {}

  /** No hands start any more. */
  get draining(): boolean {
    return this.#draining;
  }

  get ending(): boolean {
    return this.#ending;
  }

  /** No new hands; `drained` is said once the last one is over and stored. */
  drain(): void {
    this.#draining = true;
    this.of.tables.drain();
    this.#watchDrain();
  }

  #watchDrain(): void {
    if (this.#ending) return;
    const { tables, posts } = this.of;
    if (!tables.inHand && tables.quiet) posts.say({ t: 'drained' });
    else setTimeout(() => this.#watchDrain(), POLL_MS);
  }

  /** Statements under way may reach the database. */
  async stop(): Promise<void> {
    const { clock, durable, tables } = this.of;
    tables.stop();
    const latest = clock() + STOP_MS;
    while (!tables.quiet && !durable.down && clock() < latest) {
      await sleep(POLL_MS);
    }
    await this.end();
  }

  /** Another incarnation has the shard. */
  fenced(): void {
    if (this.#ending) return;
    this.of.posts.say({ t: 'fenced' });
    void this.end();
  }

  async end(): Promise<void> {
    if (this.#ending) return;
    this.#ending = true;
    this.of.tables.stop();
    this.of.close();
    await this.of.durable.close();
    this.of.ended();
  }

  /** A fault of the shard itself: the thread ends, and recovery starts a fresh one from what is stored. */
  crash(error: Error): void {
    if (this.#ending) return;
    setImmediate(() => {
      throw error;
    });
  }
}
