import { receiveMessageOnPort, type MessagePort, type TransferListItem } from 'node:worker_threads';
import type { PostReader, Channels } from '../channels.js';

interface NumberedPost {
  at: number;
  post: unknown;
}

interface Listener {
  port: MessagePort;
  read: PostReader<never>;
}

/**
 * Channels among more than two threads, read in causal order. Ports keep the order of one writer only: what thread A
 * wrote to C, and then B because of something A sent it, may be read the other way round. So each post carries a number
 * from one counter of the process, and a reader that is woken takes what lies at all its ports and reads it by number.
 * What came about through a post was numbered and posted after it, so it is never read before. (Ports are looked at one
 * after the other, so the round is repeated until one finds nothing: what led to the last find lay there before it.)
 *
 * The counter is the one thing that threads share; no state of a game is in it.
 */
export class OrderedChannels implements Channels {
  readonly #counter: BigInt64Array;
  readonly #listeners: Listener[] = [];

  constructor(readonly shared = new SharedArrayBuffer(8)) {
    this.#counter = new BigInt64Array(shared);
  }

  /** A number above all that were taken before it. */
  number(): number {
    return Number(Atomics.add(this.#counter, 0, 1n)) + 1;
  }

  /** `at`: a number that was taken for this post; the numbers of one port must rise. */
  post(port: MessagePort, post: unknown, transfer: readonly TransferListItem[] = [], at = this.number()): void {
    port.postMessage({ at, post } satisfies NumberedPost, transfer);
  }

  listen<T>(port: MessagePort, read: PostReader<T>): void {
    const listener: Listener = { port, read };
    this.#listeners.push(listener);
    port.on('message', (numbered: NumberedPost) => this.#woken(listener, numbered));
    port.on('close', () => {
      const place = this.#listeners.indexOf(listener);
      if (place >= 0) this.#listeners.splice(place, 1);
    });
  }

  #woken(first: Listener, numbered: NumberedPost): void {
    const posts = [{ ...numbered, listener: first }];
    for (let before = 0; before < posts.length;) {
      before = posts.length;
      for (const listener of this.#listeners) {
        for (let more = take(listener); more !== undefined; more = take(listener)) posts.push({ ...more, listener });
      }
    }
    if (posts.length > 1) posts.sort((a, b) => a.at - b.at);
    for (const { listener, post, at } of posts) listener.read(post as never, at);
  }
}

const take = ({ port }: Listener) => (receiveMessageOnPort(port) as { message: NumberedPost } | undefined)?.message;
