import type { RandomSource } from '../../cards/random.js';

/** A bot's dice: repeatable from the seed of their source. */
export class Dice {
  constructor(readonly source: RandomSource) {}

  /** True in a share of `probability` of all calls. */
  chance(probability: number): boolean {
    return this.#unit() < probability;
  }

  /** `value`, up to a fifth more or less. */
  about(value: number): number {
    return value * (0.8 + 0.4 * this.#unit());
  }

  /** 0 up to, not including, 1. */
  #unit(): number {
    return this.source.next16() / 0x10000;
  }
}
