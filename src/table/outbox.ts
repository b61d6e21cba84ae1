import { ByteWriter } from './bytes.js';
import type { SocketId, TableEffect } from './api.js';

/** Finished frames of one flush: `index` holds triples (socket, start, end) into `bytes`, in sending order. */
export interface FrameBatch {
  bytes: ArrayBuffer;
  index: Uint32Array;
}

/**
 * Where the tables of a shard put what shall leave it. Frames are bytes written once into `bytes` and addressed to as
 * many sockets as shall read them; effects are plain values tagged with their table. The shard empties it per flush.
 */
export class Outbox {
  readonly bytes = new ByteWriter();
  #index = new Uint32Array(3 * 1024);
  #count = 0;
  #effects: { table: string; effect: TableEffect }[] = [];

  /** Sends [start, end) of `bytes` to a socket, after all that was addressed to it before. Socket 0 is nobody. */
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

  effect(table: string, effect: TableEffect): void {
    this.#effects.push({ table, effect });
  }

  get frameCount(): number {
    return this.#count;
  }

  /** The frames so far as an exact, transferable copy, or null; the writer starts again. */
  takeFrames(): FrameBatch | null {
    const count = this.#count;
    this.#count = 0;
    const length = this.bytes.pos;
    this.bytes.pos = 0;
    if (count === 0) return null;
    return {
      bytes: this.bytes.buffer.buffer.slice(0, length) as ArrayBuffer,
      index: this.#index.slice(0, count * 3),
    };
  }

  takeEffects(): { table: string; effect: TableEffect }[] {
    const effects = this.#effects;
    if (effects.length > 0) this.#effects = [];
    return effects;
  }
}
