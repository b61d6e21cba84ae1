import { createStrategy, type Strategy, type StrategyName } from '../../src/bots/index.js';
import type { RandomSource } from '../../src/cards/random.js';
import { seededRandom, uniformBelow } from '../../src/cards/shuffle.js';

/** Minds of some styles that take turns at the seats of a table. */
export class Crowd {
  readonly random: RandomSource;
  readonly #minds: Strategy[];

  /** `each`: minds of every style. */
  constructor(styles: readonly StrategyName[], seed: number, each = 1) {
    this.random = seededRandom(seed);
    this.#minds = styles.flatMap((name, style) =>
      Array.from({ length: each }, (_, n) => createStrategy(name, seed + 100 * style + n + 1)),
    );
  }

  /** So many different minds in a random order. */
  seat(players: number): Strategy[] {
    const left = [...this.#minds];
    return Array.from({ length: players }, () => left.splice(uniformBelow(left.length, this.random), 1)[0]!);
  }
}
