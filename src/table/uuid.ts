import { assert } from '../ops/assert.js';
import { Buffer } from 'node:buffer';
import type { RandomSource } from '../cards/random.js';

/**
 * Built as bytes and read as one string. That is half the work of a rope, which is flattened when it is written, and an
 * eighth of the garbage. One id is made at a time.
 */
const text = Buffer.from('00000000-0000-0000-0000-000000000000', 'latin1');
const DIGITS = Uint8Array.from(Buffer.from('0123456789abcdef', 'latin1'));

function put(at: number, word: number): void {
  text[at] = DIGITS[word >> 12]!;
  text[at + 1] = DIGITS[(word >> 8) & 15]!;
  text[at + 2] = DIGITS[(word >> 4) & 15]!;
  text[at + 3] = DIGITS[word & 15]!;
}

/** A random (version 4) UUID: turn tokens and action ids. */
export function uuid4(random: RandomSource): string {
  put(0, random.next16());
  put(4, random.next16());
  put(9, random.next16());
  put(14, 0x4000 | (random.next16() & 0x0fff));
  putTail(random);
  return text.toString('latin1');
}

/**
 * A time-ordered (version 7) UUID of `now`, in epoch ms. The fraction of the millisecond fills the twelve bits after
 * the version: ids of one millisecond keep their order.
 */
export function uuid7(now: number, random: RandomSource): string {
  assert(now >= 0, 'an id is made of a time', now);
  const ms = Math.floor(now);
  put(0, Math.floor(ms / 2 ** 32));
  put(4, (ms >>> 16) & 0xffff);
  put(9, ms & 0xffff);
  put(14, 0x7000 | Math.floor((now - ms) * 0x1000));
  putTail(random);
  return text.toString('latin1');
}

/** The time that such an id was made of, whole epoch ms; of any other UUID some number. */
export const timeOfUuid7 = (id: string): number => parseInt(id.replaceAll('-', '').slice(0, 12), 16);

function putTail(random: RandomSource): void {
  put(19, 0x8000 | (random.next16() & 0x3fff));
  put(24, random.next16());
  put(28, random.next16());
  put(32, random.next16());
}
