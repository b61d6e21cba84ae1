import type { FrameSink } from '../gateway/ports.js';
import { placeOf, PLACES } from '../table/api.js';
import { MAY_WAIT } from '../table/outbox.js';
import type { NodeMessage } from './node-messages.js';
import type { NodeId, Peer } from './peer.js';

export interface FrameWaysOptions {
  /** The place of the node's own sockets, and these. */
  place: number;
  own: FrameSink;
  /** The node's lease has not run out: else nothing may be said, since others may have its tables. */
  holds: () => boolean;
  /** More was held back than may be: frames for own sockets are lost. */
  lost: () => void;
}

interface Batch {
  bytes: ArrayBuffer;
  index: Uint32Array;
}

/** Bytes that may wait for the lease. */
const MOST_KEPT = 8 * 1024 * 1024;

/**
 * Where frames of the node's own shards go: to its own sockets, and straight to the nodes that hold the others. What
 * cannot be sent there is lost, and when the link stands again its node is told so: it ends the sockets that may lack
 * something, which come back and resync.
 */
export class FrameWays {
  readonly #peers: (Peer<NodeMessage> | undefined)[] = [];
  readonly #torn = new Set<NodeId>();
  /** By place, of one batch at a time: how many frames, those that may not wait, their part of the index, and how much of that is filled. */
  readonly #counts = new Int32Array(PLACES);
  readonly #urgent = new Int32Array(PLACES);
  readonly #shares: (Uint32Array | undefined)[] = Array.from({ length: PLACES });
  readonly #ends = new Int32Array(PLACES);
  /** Not said yet, as the lease does not hold. */
  #kept: Batch[] = [];
  #bytes = 0;

  constructor(private readonly options: FrameWaysOptions) {}

  /** Sockets of this place are that node's. */
  member(place: number, peer: Peer<NodeMessage>): void {
    this.#peers[place] = peer;
  }

  /** The node has ended, and its sockets with it. */
  ended(id: NodeId): void {
    for (const [place, peer] of this.#peers.entries()) if (peer?.id === id) this.#peers[place] = undefined;
    this.#torn.delete(id);
  }

  /** Frames were under way. */
  broken({ id }: Peer<NodeMessage>): void {
    this.#torn.add(id);
  }

  healed(peer: Peer<NodeMessage>): void {
    if (this.#torn.delete(peer.id)) peer.send({ t: 'torn' });
  }

  /** Places of nodes that cannot be spoken to. */
  get silent(): number[] {
    return this.#peers.flatMap((peer, place) => (peer === undefined || peer.up ? [] : [place]));
  }

  /** Of an own shard. `used` takes the buffer back once it is read. */
  deliver(bytes: ArrayBuffer, index: Uint32Array, used: (bytes: ArrayBuffer) => void): void {
    if (!this.options.holds()) return this.#keep(bytes, index, used);
    if (this.#kept.length > 0) this.release();
    this.#send(bytes, index, used);
  }

  /** The lease holds again. */
  release(): void {
    const kept = this.#kept;
    if (kept.length === 0) return;
    this.#kept = [];
    this.#bytes = 0;
    for (const { bytes, index } of kept) this.#send(bytes, index, () => undefined);
  }

  #send(bytes: ArrayBuffer, index: Uint32Array, used: (bytes: ArrayBuffer) => void): void {
    const { own, place } = this.options;
    const counts = this.#counts.fill(0);
    const urgent = this.#urgent.fill(0);
    for (let i = 0; i < index.length; i += 3) {
      const at = placeOf(index[i]!);
      counts[at]!++;
      if ((index[i + 1]! & MAY_WAIT) === 0) urgent[at]!++;
    }
    if (3 * counts[place]! === index.length) return own.forward(bytes, index, used);
    const shares = this.#shares;
    for (let at = 0; at < PLACES; at++) if (counts[at]! > 0) shares[at] = new Uint32Array(3 * counts[at]!);
    this.#ends.fill(0);
    for (let i = 0; i < index.length; i += 3) {
      const at = placeOf(index[i]!);
      const share = shares[at]!;
      const end = this.#ends[at]!;
      this.#ends[at] = end + 3;
      share[end] = index[i]!;
      share[end + 1] = index[i + 1]!;
      share[end + 2] = index[i + 2]!;
    }
    for (let at = 0; at < PLACES; at++) {
      if (counts[at]! > 0 && at !== place) this.#sendAway(at, { bytes, index: shares[at]! }, urgent[at] === 0);
    }
    if (counts[place]! > 0) own.forward(bytes, shares[place]!, used);
    else used(bytes);
  }

  /** It is copied into the post: its bytes may be used again. */
  #sendAway(place: number, batch: Batch, mayWait: boolean): void {
    const peer = this.#peers[place];
    // Of a node that has ended nobody reads it.
    if (peer === undefined) return;
    if (peer.up) peer.frames(batch, mayWait);
    else this.#torn.add(peer.id);
  }

  #keep(bytes: ArrayBuffer, index: Uint32Array, used: (bytes: ArrayBuffer) => void): void {
    const size = index.byteOffset + index.byteLength;
    this.#bytes += size;
    if (this.#bytes > MOST_KEPT) {
      this.#kept = [];
      for (const peer of this.#peers) if (peer !== undefined) this.#torn.add(peer.id);
      this.options.lost();
    } else {
      const copy = bytes.slice(0, size);
      this.#kept.push({ bytes: copy, index: new Uint32Array(copy, index.byteOffset, index.length) });
    }
    used(bytes);
  }
}
