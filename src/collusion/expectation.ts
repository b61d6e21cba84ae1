import { CELLS, DEEDS, SITUATIONS, type CellCounts } from './cells.js';

/** Counts of cells of many rows together, and of their situations. */
export class CellTotals {
  readonly deeds = new Uint32Array(SITUATIONS * DEEDS);
  readonly all = new Uint32Array(SITUATIONS);

  add(cells: CellCounts): void {
    for (const [cell, count] of cells) {
      if (cell >= CELLS) continue;
      this.deeds[cell] = this.deeds[cell]! + count;
      const situation = Math.floor(cell / DEEDS);
      this.all[situation] = this.all[situation]! + count;
    }
  }
}

/** So many decisions of others are worth as much as the player's own: styles differ, so they are worth little. */
const KAPPA = 6;
/** The weight, in decisions, of "each deed alike" where nobody has been in a situation. */
const NOBODY = 2;

/** The expectation in a situation. */
export interface Expected {
  /** The rate of each deed; they sum to 1. */
  rates: readonly number[];
  /** Decisions of the player's own against others, and their weight in the rates, from 0 to 1. */
  own: number;
  weight: number;
}

/**
 * The rates of actions in a situation. They are the player's own rates against all others than the player of `counts`,
 * drawn to the rates of the rest of the pool. The pool's part is the mean of a beta prior of weight KAPPA.
 */
export function expected(situation: number, counts: readonly number[], player: CellTotals, pool: CellTotals): Expected {
  const own = player.all[situation]! - counts[0]! - counts[1]! - counts[2]!;
  const rest = pool.all[situation]! - player.all[situation]!;
  const rates = counts.map((count, deed) => {
    const cell = situation * DEEDS + deed;
    const prior = (pool.deeds[cell]! - player.deeds[cell]! + NOBODY / DEEDS) / (rest + NOBODY);
    return (player.deeds[cell]! - count + KAPPA * prior) / (own + KAPPA);
  });
  return { rates, own, weight: own / (own + KAPPA) };
}

/** How unsure a rate is. */
export interface Doubt {
  /** Its variance by how few decisions it was counted on. */
  sampling: number;
  /** Its deviation by how styles differ, which goes the same way in all situations. */
  style: number;
}

export function doubtOf({ own, weight }: Expected, rate: number): Doubt {
  const spread = Math.max(0, rate * (1 - rate));
  return {
    sampling: own === 0 ? 0 : (weight * weight * spread) / own,
    style: (1 - weight) * Math.sqrt(spread / (KAPPA + 1)),
  };
}
