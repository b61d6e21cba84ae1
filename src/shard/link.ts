import { assert } from '../ops/assert.js';
import type { MessagePort } from 'node:worker_threads';
import type { ToShard } from './messages.js';
import { postToShard } from './wire.js';

/** A batch leaves when it has so many messages, else in the check phase of this turn of the event loop. */
const LARGEST_BATCH = 16;

/** Used buffers go back with a batch when there are so many; beyond the other number they are left to the collector. */
const LEAST_RETURNED = 4;
const MOST_RETURNED = 128;

/**
 * The most messages that are kept for a shard that is down. It is back in a second, and its players hear nothing that
 * they could answer.
 */
export const HELD_BY_LINK = 100_000;

/**
 * Messages on their way to one shard: batched per turn of the event loop, and held while the shard is down. The check
 * phase comes right after the sockets were read, so a lone message leaves microseconds after it was sent.
 */
export class BatchingLink {
  #batch: ToShard[] = [];
  #port: MessagePort | null = null;
  #scheduled = false;
  #used: ArrayBuffer[] = [];

  send(message: ToShard): void {
    if (this.#port === null && this.#batch.length >= HELD_BY_LINK) return;
    const size = this.#batch.push(message);
    if (this.#port === null) return;
    if (size >= LARGEST_BATCH) this.flush();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(this.#onCheck);
    }
  }

  /** Takes a buffer of frames that were sent, to go back with some later batch. Any shard's will do. */
  giveBack(buffer: ArrayBuffer): void {
    if (this.#used.length < MOST_RETURNED) this.#used.push(buffer);
  }

  /** The shard is up: these messages first, then what was held. */
  connect(port: MessagePort, first: ToShard[]): void {
    assert(this.#port === null, 'a shard that comes up was down');
    this.#port = port;
    this.#batch = [...first, ...this.#batch];
    this.flush();
  }

  /**
   * The shard is down: from now on messages are held. Messages of this turn that were not posted yet are dropped, like
   * the posted ones. Nobody waits for their answers, and they could lead to a seat or a table that nobody knows.
   */
  disconnect(): void {
    if (this.#port === null) return;
    this.#port = null;
    this.#batch = [];
  }

  flush(): void {
    if (this.#port === null || this.#batch.length === 0) return;
    const batch = this.#batch;
    this.#batch = [];
    if (this.#used.length < LEAST_RETURNED) return postToShard(this.#port, batch);
    postToShard(this.#port, batch, this.#used);
    this.#used = [];
  }

  readonly #onCheck = (): void => {
    this.#scheduled = false;
    this.flush();
  };
}
