import type { FrameSink } from '../gateway/ports.js';
import { splitFrames } from '../shard/fronts/split-frames.js';
import { placeOf, PLACES } from '../table/api.js';
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
    this.#kept = [];
    this.#bytes = 0;
    for (const { bytes, index } of kept) this.#send(bytes, index, () => undefined);
  }

  #send(bytes: ArrayBuffer, index: Uint32Array, used: (bytes: ArrayBuffer) => void): void {
    const { own, place } = this.options;
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let i = 0; i < index.length; i += 3) {
      const list = placeOf(index[i]!) === place ? ours : theirs;
      list.push(index[i]!, index[i + 1]!, index[i + 2]!);
    }
    if (theirs.length > 0) this.#sendAway({ bytes, index: Uint32Array.from(theirs) });
    if (theirs.length === 0) own.forward(bytes, index, used);
    else if (ours.length > 0) own.forward(bytes, Uint32Array.from(ours), used);
    else used(bytes);
  }

  #sendAway(batch: Batch): void {
    // Each share in a buffer of its own: a post takes what lies between its first and its last byte.
    const shares = splitFrames(batch, PLACES, (size) => new ArrayBuffer(size));
    for (const [place, share] of shares.entries()) {
      if (share === null) continue;
      const peer = this.#peers[place];
      // Of a node that has ended nobody reads it.
      if (peer === undefined) continue;
      if (peer.up) peer.frames(share);
      else this.#torn.add(peer.id);
    }
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
