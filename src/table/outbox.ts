import { ByteWriter } from './frames/byte-writer.js';
import { PublicReplays } from './replay/public-replays.js';
import type { SocketId } from './api.js';
import type { TableEffect } from './effects.js';

/**
 * Finished frames of one flush: `index` holds triples (socket, start, end) into `bytes`, in sending order. It lies
 * behind the frames in the same buffer, so that one transfer takes both.
 */
export interface FrameBatch {
  bytes: ArrayBuffer;
  index: Uint32Array;
}

/** Set in `start` of a triple if its frame may wait a little before its socket: the reader owes no answer to it. */
export const MAY_WAIT = 0x8000_0000;
/** Set there too, where the frame asks its reader for something: it may send one message more for it. */
export const ASKS = 0x4000_0000;
/** Set there too, in the last frame that a watch gets, and in the one that tells a player of the end of its stay. */
export const LAST = 0x2000_0000;
/** Set beside MAY_WAIT, where the reader has nothing to answer for the rest of the hand, so that its frame may wait longer. */
export const MAY_WAIT_LONG = 0x1000_0000;
/** The bits of the start in the same word. */
export const START = MAY_WAIT_LONG - 1;
/**
 * A watch is read by spectators, who are asked for nothing. There the marks tell the kind of frame: a hand begins, or
 * the table's state, for everybody or only for newcomers.
 */
export const HAND_BEGINS = ASKS;
export const STATE = MAY_WAIT;
export const FOR_NEWCOMERS = (MAY_WAIT | ASKS) >>> 0;

/** The tables write into blocks of this size, which leave with a flush and come back when they were read. */
export const BLOCK_BYTES = 128 * 1024;
/** Blocks kept for later: as many as frames that may wait long are in. More of them were needed in some rush only. */
const KEPT_BLOCKS = 128;

/**
 * Where the tables of a shard put what shall leave it. Frames are bytes written once into `bytes` and addressed to as
 * many sockets as shall read them; effects are plain values tagged with their table. The shard empties it per flush.
 *
 * A flush hands over the block itself, not a copy, and blocks come back (`recycle`). New buffers at such a rate would
 * keep the receiving thread's garbage collector busy.
 */
export class Outbox {
  readonly bytes = new ByteWriter(BLOCK_BYTES);
  /** Replays that spectators got, kept for the next ones. */
  readonly replays = new PublicReplays();
  /** Whether frames that may wait are marked so; otherwise all leave at once. */
  patient = false;
  readonly #blocks: ArrayBuffer[] = [];
  #index = new Uint32Array(3 * 1024);
  #count = 0;
  #effects: { table: string; effect: TableEffect }[] = [];

  /**
   * Sends [start, end) of `bytes` to a socket, after all that was addressed to it before. Socket 0 is nobody. `start`
   * may carry ASKS or LAST, and to a watch any mark.
   */
  address(socket: SocketId, start: number, end: number): void {
    if (socket === 0) return;
    let at = this.#count * 3;
    if (at === this.#index.length) {
      const grown = new Uint32Array(this.#index.length * 2);
      grown.set(this.#index);
      this.#index = grown;
    }
    this.#index[at++] = socket;
    this.#index[at++] = start;
    this.#index[at] = end;
    this.#count++;
  }

  /** The same for a frame that may wait; `long`: its reader has nothing to answer for the rest of the hand. */
  addressLater(socket: SocketId, start: number, end: number, long = false): void {
    this.address(socket, this.patient ? start | (long ? MAY_WAIT | MAY_WAIT_LONG : MAY_WAIT) : start, end);
  }

  effect(table: string, effect: TableEffect): void {
    this.#effects.push({ table, effect });
  }

  get frameCount(): number {
    return this.#count;
  }

  /** The frames so far in a buffer of their own, to be transferred, or null; the writer starts again. */
  takeFrames(): FrameBatch | null {
    const { bytes } = this;
    const words = this.#count * 3;
    this.#count = 0;
    if (words === 0) {
      bytes.pos = 0;
      return null;
    }
    const at = (bytes.pos + 3) & ~3;
    bytes.reserve(at - bytes.pos + 4 * words);
    const { block } = bytes;
    const index = new Uint32Array(block, at, words);
    index.set(this.#index.subarray(0, words));
    bytes.begin(this.takeBlock(BLOCK_BYTES));
    return { bytes: block, index };
  }

  /** A buffer of at least so many bytes. */
  takeBlock(bytes: number): ArrayBuffer {
    if (bytes > BLOCK_BYTES) return new ArrayBuffer(bytes);
    return this.#blocks.pop() ?? new ArrayBuffer(BLOCK_BYTES);
  }

  /** Takes a buffer back that nobody reads any more. One that had to grow is not kept. */
  recycle(buffer: ArrayBuffer): void {
    if (buffer.byteLength === BLOCK_BYTES && this.#blocks.length < KEPT_BLOCKS) this.#blocks.push(buffer);
  }

  takeEffects(): { table: string; effect: TableEffect }[] {
    const effects = this.#effects;
    if (effects.length > 0) this.#effects = [];
    return effects;
  }
}
