import { createHash } from 'node:crypto';
import type { RandomSource } from './random.js';

/** Bytes read at first: enough 16-bit words for a whole deck, with some to spare for rejected ones. */
const FIRST_BYTES = 160;

/**
 * Randomness that anybody who knows `seed` can compute again: the output of SHAKE-256 as big-endian 16-bit words.
 * Without the seed it looks like true randomness. So it may choose cards as long as the seed stays as secret as they
 * must.
 */
export class HashStream implements RandomSource {
  readonly #seed: Uint8Array;
  #bytes: Buffer;
  #at = 0;

  /** `ahead`: bytes that `take` will be asked for. */
  constructor(seed: Uint8Array, ahead = 0) {
    this.#seed = seed;
    this.#bytes = this.#read(ahead + FIRST_BYTES);
  }

  /** The next bytes as they are, no more than were asked for ahead. */
  take(count: number): Buffer {
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  next16(): number {
    if (this.#at === this.#bytes.length) this.#bytes = this.#read(2 * this.#at);
    const word = this.#bytes.readUInt16BE(this.#at);
    this.#at += 2;
    return word;
  }

  /** A longer output begins with the shorter one. */
  #read(length: number): Buffer {
    return createHash('shake256', { outputLength: length }).update(this.#seed).digest();
  }
}
