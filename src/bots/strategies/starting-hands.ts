import { DECK_SIZE, type Card } from '../../cards/card.js';

const ACE = 12;
const QUEEN = 10;
/** The cost of the distance between two ranks. A larger one costs 5. */
const GAP_COST = [0, 1, 2, 4];

/** Points of a rank by Bill Chen's formula: ace 10, king 8, queen 7, jack 6, below that half the rank. */
const POINTS = [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 10];

/** Bill Chen's points of two hole cards, without his rounding; ties are broken by the ranks. */
function points(a: Card, b: Card): number {
  const [high, low] = a >> 2 > b >> 2 ? [a >> 2, b >> 2] : [b >> 2, a >> 2];
  const fine = (high * (ACE + 1) + low) / 1000;
  if (high === low) return Math.max(5, 2 * POINTS[high]!) + fine;
  const between = high - low - 1;
  const connected = between <= 1 && high < QUEEN ? 1 : 0;
  const suited = (a & 3) === (b & 3) ? 2 : 0;
  return POINTS[high]! + suited - (GAP_COST[between] ?? 5) + connected + fine;
}

/** By `first * 52 + second`. */
const percentiles = rankAll();

function rankAll(): Float32Array {
  const byPoints = new Map<number, number[]>();
  for (let a = 0; a < DECK_SIZE; a++) {
    for (let b = 0; b < a; b++) {
      const score = points(a, b);
      const alike = byPoints.get(score);
      if (alike === undefined) byPoints.set(score, [a * DECK_SIZE + b]);
      else alike.push(a * DECK_SIZE + b);
    }
  }
  const table = new Float32Array(DECK_SIZE * DECK_SIZE);
  const combinations = (DECK_SIZE * (DECK_SIZE - 1)) / 2;
  let better = 0;
  for (const [, alike] of [...byPoints].sort(([p], [q]) => q - p)) {
    const percentile = (better + alike.length / 2) / combinations;
    for (const pair of alike) {
      const [a, b] = [Math.floor(pair / DECK_SIZE), pair % DECK_SIZE];
      table[a * DECK_SIZE + b] = table[b * DECK_SIZE + a] = percentile;
    }
    better += alike.length;
  }
  return table;
}

/** Where two hole cards stand among all 1,326: 0 the best (aces), 1 the worst. */
export function percentileOf([a, b]: readonly [Card, Card]): number {
  return percentileOfCards(a, b);
}

export function percentileOfCards(a: Card, b: Card): number {
  return percentiles[a * DECK_SIZE + b]!;
}

/** All 1,326 starting hands, the best first: the first card's code * 64 + the second's. */
export const BEST_HANDS: Uint16Array = allHands();

function allHands(): Uint16Array {
  const pairs: number[] = [];
  for (let a = 0; a < DECK_SIZE; a++) for (let b = 0; b < a; b++) pairs.push((a << 6) | b);
  return Uint16Array.from(pairs.sort((p, q) => percentileOfPair(p) - percentileOfPair(q)));
}

function percentileOfPair(pair: number): number {
  return percentileOfCards(pair >> 6, pair & 63);
}

/** How many of the best starting hands a share of them is, one at least: 1 is all 1,326. */
export function handsWithin(share: number): number {
  if (share >= 1) return BEST_HANDS.length;
  let [low, high] = [0, BEST_HANDS.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (percentileOfPair(BEST_HANDS[middle]!) <= share) low = middle + 1;
    else high = middle;
  }
  return Math.max(1, low);
}
