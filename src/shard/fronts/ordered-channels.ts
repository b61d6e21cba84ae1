import type { MessagePort, TransferListItem } from 'node:worker_threads';
import { MAIN_LIFE, type Channels, type LifeId, type PostReader } from '../channels.js';
import { CausalOrder, type Stamp } from './causal-order.js';

/** A front that is silent for so long is taken for hung, and the process ends: no post is longer on its way. */
const FORGET_MS = 10_000;

interface StampedPost extends Stamp {
  post: unknown;
}

/**
 * Channels among more than two threads, read in causal order. Ports keep the order of one writer only: what thread A
 * wrote to C, and then B because of something A sent it, may arrive the other way round. So each post tells what led to
 * it (see CausalOrder), and waits at its reader until that was read. Threads share nothing for it.
 */
export class OrderedChannels implements Channels {
  readonly #order: CausalOrder;
  readonly #peers = new WeakMap<MessagePort, LifeId>();
  #lives = MAIN_LIFE;

  /** `own`: the life of the thread that has these channels. */
  constructor(private readonly own: LifeId = MAIN_LIFE) {
    this.#order = new CausalOrder(own);
  }

  /** For a thread that is about to begin. The main thread alone numbers them. */
  newLife(): LifeId {
    return ++this.#lives;
  }

  /** Takes a number for a post that is made later, which others may come of before. */
  reserve(port: MessagePort): number {
    return this.#order.reserve(this.#peerOf(port));
  }

  /** `reserved`: a number that was taken for this post, and no other since to the same reader. */
  post(
    port: MessagePort,
    post: unknown,
    transfer: readonly TransferListItem[] = [],
    reserved: number | null = null,
  ): void {
    const { at, knows } = this.#order.stamp(this.#peerOf(port), reserved);
    port.postMessage({ at, knows, post } satisfies StampedPost, transfer);
  }

  listen<T>(port: MessagePort, peer: LifeId, read: PostReader<T>): void {
    this.#peers.set(port, peer);
    this.#order.meet(peer, read);
    port.on('message', (stamped: StampedPost) => this.#order.arrived(peer, stamped, stamped.post));
    port.on('close', () => this.#left(peer));
  }

  #left(peer: LifeId): void {
    this.#order.leave(peer);
    if (this.own === MAIN_LIFE) setTimeout(() => this.#order.forget(peer), FORGET_MS).unref();
  }

  #peerOf(port: MessagePort): LifeId {
    const peer = this.#peers.get(port);
    if (peer === undefined) throw new Error('a port is written to before it is listened to');
    return peer;
  }
}
