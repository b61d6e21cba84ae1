import { randomFillSync } from 'node:crypto';
import { DECK_SIZE } from './card.js';
import type { RandomSource } from './random.js';

/** All card codes in order: the deck every deal starts from, so that the same random numbers give the same cards. */
const ORDERED = Uint8Array.from({ length: DECK_SIZE }, (_, card) => card);
/** The deck of the deal in progress. Dealing is synchronous, so one for the thread is enough. */
const deck = new Uint8Array(DECK_SIZE);

/**
 * Deals `count` different cards of a full deck into `out[0…count - 1]`, every sequence equally likely: a Fisher-Yates
 * shuffle that stops when enough cards lie. Allocates nothing.
 *
 * @throws {RangeError} when the deck or `out` has fewer than `count` places.
 */
export function drawCards(out: Uint8Array, count: number, random: RandomSource): void {
  if (count > DECK_SIZE || count > out.length)
    throw new RangeError(`cannot deal ${count} cards into ${out.length} places`);
  deck.set(ORDERED);
  for (let i = 0; i < count; i++) {
    const chosen = i + uniformBelow(DECK_SIZE - i, random);
    out[i] = deck[chosen]!;
    deck[chosen] = deck[i]!;
  }
}

/**
 * A uniformly distributed integer from 0 to `bound - 1`, bound 1 to 65536. Lemire's method: the upper half of `x *
 * bound` is the result. x is drawn again in the few cases that would favour some results.
 */
export function uniformBelow(bound: number, random: RandomSource): number {
  let product = random.next16() * bound;
  let low = product & 0xffff;
  if (low < bound) {
    // Only here can x be one of the 65536 mod bound surplus ones; the division is seldom needed.
    const surplus = 0x10000 % bound;
    while (low < surplus) {
      product = random.next16() * bound;
      low = product & 0xffff;
    }
  }
  return product >>> 16;
}

/** 16-bit words that one call to the system's generator yields; a hand takes 17 and a few rejected ones. */
const POOL_WORDS = 4096;

class SecurePool implements RandomSource {
  private readonly pool = new Uint16Array(POOL_WORDS);
  private next = POOL_WORDS;

  next16(): number {
    if (this.next === POOL_WORDS) {
      randomFillSync(this.pool);
      this.next = 0;
    }
    return this.pool[this.next++]!;
  }
}

/** Cryptographically secure randomness, for every card dealt in production. Each source keeps a pool of its own. */
export const secureRandom = (): RandomSource => new SecurePool();

/** sfc32 by Chris Doty-Humphrey: 128 bits of state, one of them a counter, so no short cycles. */
class Sfc32 implements RandomSource {
  private counter = 1;

  constructor(
    private a: number,
    private b: number,
    private c: number,
  ) {
    // The first outputs still show the seed.
    for (let i = 0; i < 15; i++) this.next16();
  }

  next16(): number {
    const sum = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return sum >>> 16;
  }
}

/**
 * Repeatable randomness for the simulator and tests, NEVER for real play: who sees some cards can compute the others.
 * The same seed gives the same numbers on every machine; different seeds, unrelated ones.
 *
 * @param seed any safe integer.
 */
export function seededRandom(seed: number): RandomSource {
  if (!Number.isSafeInteger(seed)) throw new RangeError(`a seed must be a safe integer: ${seed}`);
  return new Sfc32(0, seed | 0, Math.floor(seed / 2 ** 32) | 0);
}
