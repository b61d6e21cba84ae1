import type { RandomSource } from '../cards/random.js';

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

const hex16 = (word: number) => HEX[word >> 8]! + HEX[word & 0xff]!;

/** A random (version 4) UUID: turn tokens and action ids. */
export function uuid4(random: RandomSource): string {
  const head = `${hex16(random.next16())}${hex16(random.next16())}-${hex16(random.next16())}`;
  return `${head}-${hex16(0x4000 | (random.next16() & 0x0fff))}-${tail(random)}`;
}

/**
 * A time-ordered (version 7) UUID of `now`, epoch ms; the fraction of the millisecond fills the twelve bits after the
 * version, so that ids made within one millisecond keep their order too.
 */
export function uuid7(now: number, random: RandomSource): string {
  const ms = Math.floor(now);
  const time = ms.toString(16).padStart(12, '0');
  const fraction = Math.floor((now - ms) * 0x1000);
  return `${time.slice(0, 8)}-${time.slice(8)}-${hex16(0x7000 | fraction)}-${tail(random)}`;
}

function tail(random: RandomSource): string {
  const variant = hex16(0x8000 | (random.next16() & 0x3fff));
  return `${variant}-${hex16(random.next16())}${hex16(random.next16())}${hex16(random.next16())}`;
}
