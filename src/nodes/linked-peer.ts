import type { FrameBatch } from '../table/outbox.js';
import type { Outgoing } from './carrier.js';
import { Link } from './link.js';
import type { BreakReason, BusCounts, NodeId, Peer, PeerEvents } from './peer.js';
import { packMessage, piecesOf, POST_BYTES, PostWriter, type Post } from './post.js';

/** What a peer has from its bus. */
export interface PeerParts<M> {
  own: NodeId;
  counts: BusCounts;
  now: () => number;
  silentMs: number;
  mostWaiting: number;
  /** Null while nobody listens. */
  events: () => PeerEvents<M> | null;
  /** Runs it in a turn of its own, and before anything else the owner hears. */
  later: (call: () => void) => void;
  /** `take` is called at the end of this turn, or with the next flush. */
  soon: (peer: LinkedPeer<M>) => void;
  /** The same for one that has only frames to say which may wait: with what leaves for everybody, or in a while. */
  inTime: (peer: LinkedPeer<M>) => void;
  /** With the next turn leaves what waits for whichever peer, also what may wait longer. */
  together: () => void;
  flush: () => void;
  /** A message or a batch of this peer cannot be handled. */
  malformed: (error: unknown) => void;
}

/** A post on its way, and the link it belongs to; of none where it is a greeting. */
export interface Leaving<M> extends Outgoing {
  peer: LinkedPeer<M>;
  own: number;
}

export const NO_LINK = 0;

/** One other node over a carrier. */
export class LinkedPeer<M> implements Peer<M> {
  readonly #link: Link;
  readonly #out: PostWriter;
  #waits = false;
  #over = false;

  constructor(
    readonly id: NodeId,
    private readonly parts: PeerParts<M>,
  ) {
    this.#link = new Link(parts.silentMs, parts.mostWaiting);
    this.#out = new PostWriter(parts.own, id);
  }

  get up(): boolean {
    return this.#link.up && !this.#over;
  }

  send(message: M): void {
    const packed = packMessage(message);
    if (!this.#hasRoom(packed.length)) return;
    this.#out.message(packed);
    this.speakSoon();
  }

  frames(batch: FrameBatch, mayWait = false): void {
    for (const piece of piecesOf(batch)) {
      if (!this.#hasRoom(piece.size)) return;
      this.#out.frames(batch, piece);
      if (!mayWait) this.#soon();
      else if (!this.#waits) this.parts.inTime(this);
    }
  }

  flush(): void {
    this.parts.flush();
  }

  break(): void {
    if (this.up) this.#breaks('full');
  }

  end(): void {
    this.#over = true;
    this.#out.clear();
  }

  /** What waits, or is due, leaves at the end of this turn, and with it all that waits for others. */
  speakSoon(): void {
    this.parts.together();
    this.#soon();
  }

  #soon(): void {
    if (this.#waits) return;
    this.#waits = true;
    this.parts.soon(this);
  }

  /**
   * What is to leave now: a post, or the greeting that is due. A side that has broken its link greets with the first
   * that it says to anybody, so that the other has heard of the break before it reads what anybody says because of it.
   * The bytes hold until the next call.
   */
  take(): Leaving<M> | null {
    this.#waits = false;
    if (this.#over) return null;
    const { counts, now } = this.parts;
    const link = this.#link;
    const due = link.due(now());
    if (!this.up) return due ? this.#leaving(link.greeting(now()), NO_LINK) : null;
    if (!due && this.#out.isEmpty) return null;
    const { size } = this.#out;
    counts.postsSent++;
    counts.bytesSent += size;
    const leaving = this.#leaving(link.post(size, now()), link.own);
    if (link.full) this.#breaks('full');
    return leaving;
  }

  look(): void {
    if (this.#over) return;
    const { now } = this.parts;
    const broken = this.#link.look(now());
    if (broken !== null) this.#broken(broken);
    if (this.#link.due(now())) this.speakSoon();
  }

  arrived({ head, items }: Post<M>, bytes: number): void {
    if (this.#over) return;
    const { counts, events, now } = this.parts;
    const { broken, healed, what } = this.#link.arrived(head, bytes, now());
    if (broken !== null) this.#broken(broken);
    if (healed && !this.#over) {
      counts.healed++;
      events()?.healed(this);
    }
    if (what === 'again' || what === 'late') counts[what]++;
    if (what === 'false') counts.strange++;
    if (what === 'read') {
      counts.postsRead++;
      counts.bytesRead += bytes;
      const { own } = this.#link;
      for (const item of items) {
        // The owner may break it, or end the peer, because of what it reads.
        if (!this.stands(own)) break;
        try {
          if ('message' in item) events()?.message(this, item.message);
          else events()?.frames(this, item.frames);
        } catch (error) {
          // A field of a wrong type is the other node's fault: it ends its own link. Any other error is a bug of ours.
          if (!(error instanceof TypeError)) throw error;
          this.parts.malformed(error);
          this.#breaks('malformed');
        }
      }
    }
    if (this.#link.due(now())) this.speakSoon();
  }

  /** Whether it is the link that stands now. */
  stands(own: number): boolean {
    return this.up && this.#link.own === own;
  }

  /** A post of that link reached nobody. */
  unsent(own: number): void {
    if (this.stands(own)) this.#breaks('unsent');
  }

  /** A greeting may have been lost: it is said again with the next flush, to which the caller adds this peer if it is true. */
  greetsAgain(): boolean {
    this.#link.owe();
    if (this.#waits || this.#over) return false;
    return (this.#waits = true);
  }

  /** The order that the link was part of has ended. One that does not stand here may do so on the other side. */
  lost(): void {
    if (this.#over) return;
    const { up } = this;
    this.#link.break('carrier');
    if (!up) return;
    this.#broken('carrier');
    this.speakSoon();
  }

  #leaving(head: Parameters<PostWriter['take']>[0], own: number): Leaving<M> {
    return { peer: this, to: this.id, own, post: this.#out.take(head) };
  }

  /** Whether so many bytes more can be sent, once what waits has left if it must. */
  #hasRoom(bytes: number): boolean {
    if (this.up && this.#out.size + bytes > POST_BYTES) this.flush();
    if (!this.up) this.parts.counts.dropped++;
    return this.up;
  }

  /** The owner hears of it later: it may be in the middle of a call to us. */
  #breaks(why: BreakReason): void {
    this.#link.break(why);
    this.#out.clear();
    this.parts.later(() => this.#broken(why));
    this.speakSoon();
  }

  #broken(why: BreakReason): void {
    if (this.#over) return;
    this.#out.clear();
    this.parts.counts.broken[why]++;
    this.parts.events()?.broken(this, why);
  }
}
