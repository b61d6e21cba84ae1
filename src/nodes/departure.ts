import { setTimeout as sleep } from 'node:timers/promises';
import type { GuestThread } from './guest-thread.js';
import type { LentShard, NodeMessage } from './node-messages.js';
import type { Peer } from './peer.js';

/** Nodes that are told to stop together have heard that of each other by then. */
const TOGETHER_MS = 1000;

interface Leaver extends LentShard {
  thread: Pick<GuestThread, 'drain'>;
}

/**
 * How the shards of a node that stops leave it: with other nodes tables go there, between hands. Where all nodes stop
 * nothing goes anywhere, and players of other nodes need the sockets here until the last hand is over.
 */
export class Departure {
  #onEmpty: () => void = () => undefined;
  #onClosing: () => void = () => undefined;
  #onParting: () => void = () => undefined;

  constructor(
    /** Null: none is heard. */
    private readonly leader: () => Peer<NodeMessage> | null,
    private readonly shards: () => readonly Leaver[],
  ) {}

  /** The last shard is gone. */
  empty(): void {
    this.#onEmpty();
  }

  /** No node stays: hands are finished where they are. */
  closing(): void {
    this.#onClosing();
  }

  /** …and no hand is in play anywhere, or nobody could say so any more. */
  parting(): void {
    this.#onParting();
  }

  /**
   * What is left when half the time is over may finish its hands; then whoever leads has the shards back. Resolves to
   * false where some hands did not finish.
   */
  async drain(ms: number, others: boolean): Promise<boolean> {
    const end = performance.now() + ms;
    const left = () => Math.max(0, end - performance.now());
    const together = others && (await this.#leave(ms / 2));
    const shards = this.shards();
    const finished = await Promise.all(shards.map(({ thread }) => thread.drain(left())));
    if (together) await this.#parted(left());
    // Without others nobody could have them.
    else if (others) for (const { shard, epoch } of shards) this.leader()?.send({ t: 'over', shard, epoch });
    this.leader()?.flush();
    return !finished.includes(false);
  }

  /** Others have the tables after that, as many as they took within so long. True: no other stays. */
  async #leave(ms: number): Promise<boolean> {
    const closing = new Promise<true>((resolve) => (this.#onClosing = () => resolve(true)));
    const empty = new Promise<void>((resolve) => (this.#onEmpty = resolve));
    if (this.shards().length === 0) this.#onEmpty();
    this.leader()?.send({ t: 'lend', lent: null, more: 0, leaving: true });
    this.leader()?.flush();
    const soon = sleep(Math.min(TOGETHER_MS, ms), null, { ref: false });
    const left = Promise.race([Promise.all([empty, soon]), sleep(ms, null, { ref: false })]);
    return Promise.race([closing, left.then(() => false)]);
  }

  /** Resolves once no hand is in play anywhere, or nobody could say so. */
  async #parted(ms: number): Promise<void> {
    if (this.leader() === null) return;
    const parted = new Promise<void>((resolve) => (this.#onParting = resolve));
    this.leader()?.send({ t: 'finished' });
    this.leader()?.flush();
    await Promise.race([parted, sleep(ms, null, { ref: false })]);
  }
}
