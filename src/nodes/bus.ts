import type { Logger } from '../ops/log.js';
import { LEASE_MS } from '../store/node/lease.js';
import type { Carrier } from './carrier.js';
import { LinkedPeer, NO_LINK, type Leaving } from './linked-peer.js';
import type { BusCounts, NodeId, Peer, PeerBus, PeerEvents } from './peer.js';
import { readPost } from './post.js';

export interface BusOptions<M> {
  id: NodeId;
  carrier: Carrier;
  /** Whether it is a message that nodes send. */
  check: (message: unknown) => message is M;
  log: Pick<Logger, 'warn'>;
  /** A link breaks after so long without a post. */
  silentMs?: number;
  /** Bytes that may be sent to a node before it has read them; beyond it the link breaks. */
  mostWaiting?: number;
  /** For so long frames wait at most that may: for something that leaves for the same node, or for any message. */
  patienceMs?: number;
  /** A turn waits no longer than this for the carrier's answer to the one before. */
  gatherMs?: number;
}

/** Redis ends a subscriber for which it keeps 8 MB for a minute, or 32 at once: a link breaks before. */
const MOST_WAITING = 8 * 1024 * 1024;
const LOG_MS = 10_000;
const GATHER_MS = 2;

/**
 * Links to other nodes over a carrier. What is sent in a turn of the event loop leaves as one post to each of them, all of
 * these at one point of the carrier's order. For if node L says something to N and then to M, and N hears of M because of
 * it, N must have read L's first. A post holds what was said before and after what is in another, so that it would not do
 * to publish them one by one, in whichever order.
 *
 * What a post costs is that three processes are woken for it, much more than its bytes. So a turn that ends while the
 * carrier has not answered for the one before waits for that answer, and leaves with the turns that end meanwhile: one
 * alone leaves at once, and the more is said, the more is gathered.
 *
 * Frames that may wait count as said when they leave: with the next post for the same node, with the first message for
 * whomever, or after `patienceMs`.
 */
export class LinkedBus<M> implements PeerBus<M> {
  readonly id: NodeId;
  readonly counts: BusCounts = {
    ...{ postsSent: 0, postsRead: 0, bytesSent: 0, bytesRead: 0, dropped: 0 },
    ...{ again: 0, late: 0, unreadable: 0, strange: 0, healed: 0 },
    broken: { silent: 0, gap: 0, anew: 0, unsent: 0, full: 0, carrier: 0, malformed: 0 },
  };
  /** Those that ended as well: their links must not be numbered anew. */
  readonly #peers = new Map<NodeId, LinkedPeer<M>>();
  readonly #silentMs: number;
  readonly #gatherMs: number;
  /** Those that have something to say. */
  #waiting: LinkedPeer<M>[] = [];
  /** Those that have nothing to say but frames that may wait, and whether they leave with whatever leaves next. */
  readonly #patient = new Set<LinkedPeer<M>>();
  #together = false;
  #patience: NodeJS.Timeout | undefined;
  #scheduled = false;
  /** Turns that the carrier has not answered for, when the last of them left, and whether others wait for that. */
  #unanswered = 0;
  #leftAt = -Infinity;
  #gathers = false;
  /** What the owner is to hear in a turn of its own. */
  #later: (() => void)[] = [];
  #events: PeerEvents<M> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #logged = { at: -Infinity, unreadable: 0 };

  constructor(private readonly options: BusOptions<M>) {
    this.id = options.id;
    this.#silentMs = options.silentMs ?? LEASE_MS;
    this.#gatherMs = options.gatherMs ?? GATHER_MS;
  }

  get up(): boolean {
    return this.options.carrier.up;
  }

  get deafMs(): number {
    return this.options.carrier.deafMs;
  }

  async begin(events: PeerEvents<M>): Promise<void> {
    this.#events = events;
    this.#timer = setInterval(() => this.#look(), this.#silentMs / 20);
    await this.options.carrier.begin({
      post: (bytes) => this.#arrived(bytes),
      up: () => this.#look(),
      lost: () => this.#lost(),
    });
  }

  peer(id: NodeId): Peer<M> {
    if (id === this.id) throw new Error('a node needs no link to itself');
    let peer = this.#peers.get(id);
    if (peer === undefined) {
      peer = new LinkedPeer(id, {
        ...{ own: this.id, counts: this.counts, now: () => performance.now() },
        ...{ silentMs: this.#silentMs, mostWaiting: this.options.mostWaiting ?? MOST_WAITING },
        events: () => this.#events,
        later: (call) => this.#tellLater(call),
        malformed: (error) =>
          this.options.log.warn(
            { node: id, err: error },
            'a message of another node cannot be handled: its link breaks',
          ),
        soon: (waiting) => this.#soon(waiting),
        inTime: (waiting) => this.#inTime(waiting),
        together: () => (this.#together = true),
        flush: () => this.#flush(true),
      });
      this.#peers.set(id, peer);
      peer.speakSoon();
    }
    return peer;
  }

  async close(): Promise<void> {
    this.#events = null;
    clearInterval(this.#timer);
    clearTimeout(this.#patience);
    for (const peer of this.#peers.values()) peer.end();
    await this.options.carrier.close();
  }

  #soon(peer: LinkedPeer<M>): void {
    this.#waiting.push(peer);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#onCheck);
  }

  #inTime(peer: LinkedPeer<M>): void {
    this.#patient.add(peer);
    this.#patience ??= setTimeout(this.#onPatience, this.options.patienceMs ?? 0);
  }

  readonly #onPatience = (): void => {
    this.#patience = undefined;
    if (this.#patient.size === 0) return;
    this.#together = true;
    this.#schedule();
  };

  readonly #onCheck = (): void => {
    this.#scheduled = false;
    this.#gathers = this.#unanswered > 0 && performance.now() - this.#leftAt < this.#gatherMs;
    if (!this.#gathers) this.#flush(this.#together);
  };

  /** `all`: also what may wait, and is for others. */
  #flush(all: boolean): void {
    const waiting = new Set(this.#waiting);
    this.#waiting = [];
    if (all) {
      this.#together = false;
      for (const peer of this.#patient) waiting.add(peer);
    }
    const posts: Leaving<M>[] = [];
    for (const peer of waiting) {
      this.#patient.delete(peer);
      const leaving = peer.take();
      if (leaving !== null) posts.push(leaving);
    }
    if (posts.length === 0) return;
    this.#unanswered++;
    this.#leftAt = performance.now();
    this.options.carrier.publish(posts).then(
      (readers) => {
        this.#answered();
        for (const [i, { peer, own }] of posts.entries()) if (readers[i] === 0) peer.unsent(own);
      },
      () => {
        this.#answered();
        this.#unknown(posts);
      },
    );
  }

  #answered(): void {
    this.#unanswered--;
    if (!this.#gathers) return;
    this.#gathers = false;
    this.#schedule();
  }

  /** Nobody knows who got them. Greetings are said again with the first that gets through, whomever that is for. */
  #unknown(posts: readonly Leaving<M>[]): void {
    for (const { peer, own } of posts) if (own === NO_LINK && peer.greetsAgain()) this.#waiting.push(peer);
    this.#together = true;
    // That comes long after the end of these links where a connection was given up that nobody closed.
    if (posts.some(({ peer, own }) => peer.stands(own))) this.#lost();
  }

  #lost(): void {
    this.#tell();
    for (const peer of this.#peers.values()) peer.lost();
  }

  #arrived(bytes: Buffer): void {
    this.#tell();
    const post = readPost(bytes, this.id, this.options.check);
    if (post === null || post.from === this.id) return this.#unreadable(bytes.length);
    if (!this.#peers.has(post.from)) {
      this.counts.strange++;
      if (post.head.number === 0) this.#events?.knocked(post.from);
    }
    // Whoever was asked may have granted it.
    this.#peers.get(post.from)?.arrived(post, bytes.length);
  }

  #look(): void {
    this.#tell();
    for (const peer of this.#peers.values()) peer.look();
    if (this.#waiting.length > 0) this.#schedule();
  }

  #tellLater(call: () => void): void {
    if (this.#later.push(call) === 1) setImmediate(() => this.#tell());
  }

  #tell(): void {
    const calls = this.#later;
    this.#later = [];
    for (const call of calls) call();
  }

  /** One line in a while says how many there were. */
  #unreadable(bytes: number): void {
    const count = ++this.counts.unreadable;
    const now = performance.now();
    if (now - this.#logged.at < LOG_MS) return;
    const posts = count - this.#logged.unreadable;
    this.#logged = { at: now, unreadable: count };
    this.options.log.warn({ posts, bytes }, 'what came over the bus between nodes is no post for this one: dropped');
  }
}
