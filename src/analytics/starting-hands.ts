import { RANKS, type Card } from '../cards/card.js';

/** The 169 starting hands as the usual grid: 13 × 13 from the aces, pairs on the diagonal, suited hands above it. */

const WIDTH = RANKS.length;

export interface StartingHand {
  /** "AA", "AKs", "72o". */
  label: string;
  /** The higher rank first. */
  rank1: string;
  rank2: string;
  suited: boolean;
}

/** By place, row by row. */
export const STARTING_HANDS: readonly StartingHand[] = Array.from({ length: WIDTH * WIDTH }, (_, place) => {
  const [row, column] = [Math.floor(place / WIDTH), place % WIDTH];
  const rank1 = RANKS[WIDTH - 1 - Math.min(row, column)]!;
  const rank2 = RANKS[WIDTH - 1 - Math.max(row, column)]!;
  const kind = row === column ? '' : row < column ? 's' : 'o';
  return { label: rank1 + rank2 + kind, rank1, rank2, suited: kind === 's' };
});

/** The place of two hole cards in the grid. */
export function cellOfHoleCards(a: Card, b: Card): number {
  const [rankA, rankB] = [a >> 2, b >> 2];
  const high = WIDTH - 1 - Math.max(rankA, rankB);
  const low = WIDTH - 1 - Math.min(rankA, rankB);
  const suited = (a & 3) === (b & 3);
  return suited ? high * WIDTH + low : low * WIDTH + high;
}
