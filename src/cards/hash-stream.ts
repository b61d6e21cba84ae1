import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { RandomSource } from './random.js';

/** Bytes taken from the hash at a time: enough 16-bit words for a whole deck, with some to spare for rejected ones. */
const BLOCK_BYTES = 160;

/**
 * Randomness that anybody who knows `seed` can compute again: the bytes of SHAKE-256(seed | block), block a four-byte
 * counter from 0, 160 bytes of each block, read as big-endian 16-bit words. Who does not know the seed cannot tell it
 * from true randomness, so it may choose cards as long as the seed is as secret as they shall be.
 */
export class HashStream implements RandomSource {
  readonly #seed: Uint8Array;
  readonly #counter = Buffer.alloc(4);
  #block: Buffer;
  #at = 0;

  constructor(seed: Uint8Array) {
    this.#seed = seed;
    this.#block = this.#read();
  }

  next16(): number {
    if (this.#at === BLOCK_BYTES) {
      this.#counter.writeUInt32BE(this.#counter.readUInt32BE() + 1);
      this.#block = this.#read();
      this.#at = 0;
    }
    const word = this.#block.readUInt16BE(this.#at);
    this.#at += 2;
    return word;
  }

  #read(): Buffer {
    return createHash('shake256', { outputLength: BLOCK_BYTES }).update(this.#seed).update(this.#counter).digest();
  }
}
