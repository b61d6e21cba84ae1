import type { Card } from '../cards/card.js';

/**
 * Random numbers that depend on a hand's id alone, so that two programs draw the same boards. FNV-1a of the id seeds
 * xorshift32 (Marsaglia, "Xorshift RNGs", 2003). An id is made before the deck and has nothing to do with it.
 */
export class HandDice {
  #state: number;

  constructor(handId: string) {
    let hash = 0x811c9dc5;
    for (let i = 0; i < handId.length; i++) hash = Math.imul(hash ^ handId.charCodeAt(i), 0x01000193) >>> 0;
    this.#state = hash === 0 ? 1 : hash;
    for (let i = 0; i < 8; i++) this.#next();
  }

  #next(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (this.#state = x >>> 0);
  }

  /** A whole number from 0 to `bound` − 1, each equally likely: the few numbers that would favour some are skipped. */
  below(bound: number): number {
    const limit = 0x100000000 - (0x100000000 % bound);
    let x = this.#next();
    while (x >= limit) x = this.#next();
    return x % bound;
  }

  /** Different cards of `rest` into `out`: every sequence is equally likely. Changes the order of `rest`. */
  draw(out: Uint8Array, count: number, rest: Card[]): void {
    for (let i = 0; i < count; i++) {
      const chosen = i + this.below(rest.length - i);
      out[i] = rest[chosen]!;
      rest[chosen] = rest[i]!;
      rest[i] = out[i]!;
    }
  }
}
