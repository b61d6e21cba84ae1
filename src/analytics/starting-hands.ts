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

/** Hands of a kind, for samples that are too small for 169 cells. Each hand is in the first group that it fits. */
const GROUPS: readonly (readonly [name: string, fits: (hand: Ranked) => boolean])[] = [
  ['Pairs, tens or better', ({ high, low }) => high === low && high >= TEN],
  ['Other pairs', ({ high, low }) => high === low],
  ['Suited broadways', ({ low, suited }) => suited && low >= TEN],
  ['Offsuit broadways', ({ low }) => low >= TEN],
  ['Suited aces', ({ high, suited }) => suited && high === ACE],
  ['Offsuit aces', ({ high }) => high === ACE],
  ['Suited connectors', ({ high, low, suited }) => suited && high - low === 1],
  ['Suited one-gappers', ({ high, low, suited }) => suited && high - low === 2],
  ['Other suited hands', ({ suited }) => suited],
  ['Offsuit connectors', ({ high, low }) => high - low === 1],
  ['Other offsuit hands', () => true],
];

interface Ranked {
  /** Indexes into RANKS. */
  high: number;
  low: number;
  suited: boolean;
}

const TEN = RANKS.indexOf('T');
const ACE = RANKS.indexOf('A');

/** The groups with the places of their hands. */
export const STARTING_HAND_GROUPS: readonly { name: string; places: readonly number[] }[] = (() => {
  const groups = GROUPS.map(([name]) => ({ name, places: [] as number[] }));
  for (const [place, { rank1, rank2, suited }] of STARTING_HANDS.entries()) {
    const hand = { high: RANKS.indexOf(rank1), low: RANKS.indexOf(rank2), suited };
    groups[GROUPS.findIndex(([, fits]) => fits(hand))]!.places.push(place);
  }
  return groups;
})();
