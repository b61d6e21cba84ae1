import type { FrameBatch } from '../table/outbox.js';
import type { Carrier } from './carrier.js';
import { Link } from './link.js';
import type { BreakReason, BusCounts, NodeId, Peer, PeerEvents } from './peer.js';
import { packMessage, piecesOf, POST_BYTES, PostWriter, type Post } from './post.js';

/** What a peer has from its bus. */
export interface PeerParts<M> {
  own: NodeId;
  carrier: Carrier;
  counts: BusCounts;
  now: () => number;
  silentMs: number;
  mostWaiting: number;
  /** Null while nobody listens. */
  events: () => PeerEvents<M> | null;
  /** Runs it in a turn of its own, and before anything else the owner hears. */
  later: (call: () => void) => void;
}

/** One other node over a carrier. */
export class LinkedPeer<M> implements Peer<M> {
  readonly #link: Link;
  readonly #out: PostWriter;
  #scheduled = false;
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

  frames(batch: FrameBatch): void {
    for (const piece of piecesOf(batch)) {
      if (!this.#hasRoom(piece.size)) return;
      this.#out.frames(batch, piece);
      this.speakSoon();
    }
  }

  flush(): void {
    if (this.up && !this.#out.isEmpty) this.#post();
  }

  end(): void {
    this.#over = true;
    this.#out.clear();
  }

  /** What waits, or is due, leaves at the end of this turn. */
  speakSoon(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#onCheck);
  }

  look(): void {
    if (this.#over) return;
    const broken = this.#link.look(this.parts.now());
    if (broken !== null) this.#broken(broken);
    this.#speak();
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
      for (const item of items) {
        if (this.#over) return;
        if ('message' in item) events()?.message(this, item.message);
        else events()?.frames(this, item.frames);
      }
    }
    if (this.#link.due(now())) this.speakSoon();
  }

  readonly #onCheck = (): void => {
    this.#scheduled = false;
    this.#speak();
  };

  #speak(): void {
    const { carrier, now } = this.parts;
    if (this.#over) return;
    if (this.up) {
      if (!this.#out.isEmpty || this.#link.due(now())) this.#post();
    } else if (this.#link.due(now())) {
      // One that is lost is followed by the next.
      carrier.publish(this.id, this.#out.take(this.#link.greeting(now()))).catch(() => undefined);
    }
  }

  /** Whether so many bytes more can be sent, once what waits has left if it must. */
  #hasRoom(bytes: number): boolean {
    if (this.up && this.#out.size + bytes > POST_BYTES) this.flush();
    if (!this.up) this.parts.counts.dropped++;
    return this.up;
  }

  #post(): void {
    const { carrier, counts, now } = this.parts;
    const link = this.#link;
    const { own } = link;
    const size = this.#out.size;
    const unsent = () => {
      if (this.up && link.own === own) this.#breaks('unsent');
    };
    carrier.publish(this.id, this.#out.take(link.post(size, now()))).then((readers) => {
      if (readers === 0) unsent();
    }, unsent);
    counts.postsSent++;
    counts.bytesSent += size;
    if (link.full) this.#breaks('full');
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
