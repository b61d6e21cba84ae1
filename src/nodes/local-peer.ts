import { START, type FrameBatch } from '../table/outbox.js';
import type { NodeId, Peer, PeerEvents } from './peer.js';

/** One side: the id under which the other knows it, and what it hears. */
export interface LocalSide<M> {
  id: NodeId;
  events: PeerEvents<M>;
}

/**
 * The link between two that talk as nodes do, within one process: each has the other as a Peer. It stands from the next
 * turn on, until one side ends it; the other then hears that it is broken, as of a node that has gone silent.
 *
 * A message is given away: it is read as it is, without a copy, so neither side may change it afterwards. Frames are
 * copied at once, as by any peer.
 */
export class LocalPeers<M> {
  readonly toA: Peer<M>;
  readonly toB: Peer<M>;
  /** What is to be heard, in the order in which it was said, whichever way. */
  #waiting: (() => void)[] = [];
  #scheduled = false;

  constructor(a: LocalSide<M>, b: LocalSide<M>) {
    const later = (hear: () => void) => this.#later(hear);
    const [toA, toB] = [new LocalPeer(a.id, b.events, later), new LocalPeer(b.id, a.events, later)];
    toA.other = toB;
    toB.other = toA;
    [this.toA, this.toB] = [toA, toB];
    later(() => {
      for (const peer of [toA, toB]) peer.heals();
      for (const peer of [toA, toB]) peer.tellHealed();
    });
  }

  /**
   * Hands on now what waits for the next turn; not from within what a side hears or says. A bus is given this as `before`:
   * what another node says because of what the one side has said may arrive sooner than the next turn.
   */
  deliver(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const hear of waiting) hear();
  }

  #later(hear: () => void): void {
    this.#waiting.push(hear);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.deliver();
    });
  }
}

/** What one side has of the other. */
class LocalPeer<M> implements Peer<M> {
  other: LocalPeer<M> | null = null;
  #up = false;
  #over = false;

  constructor(
    readonly id: NodeId,
    /** Of the side that has this peer. */
    private readonly events: PeerEvents<M>,
    private readonly later: (hear: () => void) => void,
  ) {}

  get up(): boolean {
    return this.#up;
  }

  send(message: M): void {
    this.#say((other) => other.events.message(other, message));
  }

  frames(batch: FrameBatch): void {
    if (!this.#up) return;
    const copy = copyOf(batch);
    this.#say((other) => other.events.frames(other, copy));
  }

  /** All of it is heard before anything that somebody says because of what leaves now: see `deliver`. */
  flush(): void {
    return;
  }

  end(): void {
    if (this.#over) return;
    const { other } = this;
    this.#up = false;
    this.#over = true;
    this.later(() => other?.breaks());
  }

  heals(): void {
    const { other } = this;
    this.#up = !this.#over && other !== null && !other.#over;
  }

  tellHealed(): void {
    if (this.#up) this.events.healed(this);
  }

  breaks(): void {
    if (!this.#up) return;
    this.#up = false;
    this.events.broken(this, 'silent');
  }

  #say(hear: (other: LocalPeer<M>) => void): void {
    const { other } = this;
    if (!this.#up || other === null) return;
    this.later(() => {
      if (other.#up) hear(other);
    });
  }
}

/** A batch with a buffer of its own: only what its frames are in, which may be little of a block. */
function copyOf({ bytes, index }: FrameBatch): FrameBatch {
  let [low, high] = [bytes.byteLength, 0];
  for (let i = 0; i < index.length; i += 3) {
    low = Math.min(low, index[i + 1]! & START);
    high = Math.max(high, index[i + 2]!);
  }
  const length = Math.max(0, high - low);
  const at = (length + 3) & ~3;
  const copy = new ArrayBuffer(at + index.byteLength);
  const moved = new Uint32Array(copy, at, index.length);
  moved.set(index);
  for (let i = 0; i < moved.length; i += 3) {
    moved[i + 1]! -= low;
    moved[i + 2]! -= low;
  }
  if (length > 0) new Uint8Array(copy).set(new Uint8Array(bytes, low, length));
  return { bytes: copy, index: moved };
}
