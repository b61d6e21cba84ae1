/**
 * The value of a hand: 16 bits, higher wins, equal ties, never 0. The high four bits are the category. The low twelve
 * order the hands within it, and name the hand's ranks:
 *
 *     pair, trips          rank << 8 | number of the kickers' combination
 *     two pair             upper rank << 8 | lower rank << 4 | kicker
 *     full house, quads    rank << 8 | rank of the pair or kicker << 4
 *     straight (flush)     top rank << 8; the wheel's top is the five
 *     high card, flush     top rank - 5 << 9 | number of the other four cards' combination + 1
 *
 * Combinations of kickers are numbered by the combinatorial number system, which keeps them in order of strength.
 */
export type HandValue = number;

export const Category = {
  highCard: 0,
  pair: 1,
  twoPair: 2,
  threeOfAKind: 3,
  straight: 4,
  flush: 5,
  fullHouse: 6,
  fourOfAKind: 7,
  straightFlush: 8,
} as const;
export type Category = (typeof Category)[keyof typeof Category];

/** The category of a value, 0 (high card) to 8 (straight flush, the royal one included). */
export const category = (value: HandValue): Category => (value >> 12) as Category;

/** The lowest card that can top five different ranks which are no straight: the seven. */
const LOWEST_TOP = 5;
const ACE = 12;

/** The rank that names a hand first: its set, its upper pair, or its highest card. 0 deuce to 12 ace. */
export function leadingRank(value: HandValue): number {
  const kind = category(value);
  if (kind === Category.highCard || kind === Category.flush) return ((value >> 9) & 7) + LOWEST_TOP;
  return (value >> 8) & 15;
}

/** The rank that names a two pair or full house second: its lower pair. Meaningless for other categories. */
export const secondRank = (value: HandValue): number => (value >> 4) & 15;

/**
 * The value of the best five cards of one suit; `ranks` is their bit mask (bit r = rank r), at least five bits set.
 */
export function valueOfFlush(ranks: number): HandValue {
  const top = straightTop(ranks);
  if (top >= 0) return (Category.straightFlush << 12) | (top << 8);
  return (Category.flush << 12) | unpaired(ranks);
}

/** The value of five to seven cards without a flush; `counts[r]` is how many of them have rank r. */
export function valueOfRanks(counts: ArrayLike<number>): HandValue {
  const atLeast = [0, 0, 0, 0, 0];
  for (let rank = 0; rank <= ACE; rank++) {
    for (let n = 1; n <= counts[rank]!; n++) atLeast[n]! |= 1 << rank;
  }
  const [, ranks, pairs, trips, quads] = atLeast as [number, number, number, number, number];

  if (quads) {
    const four = highest(quads);
    return (Category.fourOfAKind << 12) | (four << 8) | (highest(without(ranks, four)) << 4);
  }
  if (trips && without(pairs, highest(trips))) {
    const three = highest(trips);
    return (Category.fullHouse << 12) | (three << 8) | (highest(without(pairs, three)) << 4);
  }
  const top = straightTop(ranks);
  if (top >= 0) return (Category.straight << 12) | (top << 8);
  if (trips) {
    const three = highest(trips);
    return (Category.threeOfAKind << 12) | (three << 8) | combination(kickers(ranks, three), 2);
  }
  if (pairs) return valueOfPairs(ranks, pairs);
  return (Category.highCard << 12) | unpaired(ranks);
}

function valueOfPairs(ranks: number, pairs: number): HandValue {
  const upper = highest(pairs);
  const others = without(pairs, upper);
  if (!others) return (Category.pair << 12) | (upper << 8) | combination(kickers(ranks, upper), 3);
  const lower = highest(others);
  const kicker = highest(without(without(ranks, upper), lower));
  return (Category.twoPair << 12) | (upper << 8) | (lower << 4) | kicker;
}

/** The low twelve bits of five different ranks that are no straight; the 1 keeps the worst hand's value above 0. */
function unpaired(ranks: number): number {
  const top = highest(ranks);
  return ((top - LOWEST_TOP) << 9) | (combination(without(ranks, top), 4) + 1);
}

/** The top rank of the best straight in a mask, -1 when there is none. */
function straightTop(ranks: number): number {
  // One place up, with the ace below the deuce as well: a straight is five consecutive bits, and its top is bit `rank +
  // 1`.
  const wheel = (ranks << 1) | (ranks >> ACE);
  const runs = wheel & (wheel << 1) & (wheel << 2) & (wheel << 3) & (wheel << 4);
  return runs ? highest(runs) - 1 : -1;
}

/** The index of the `size` highest ranks of a mask among all combinations with `size` ranks, weakest first. */
function combination(ranks: number, size: number): number {
  let number = 0;
  for (let rest = ranks, k = size; k > 0; k--) {
    const rank = highest(rest);
    number += choose(rank, k);
    rest = without(rest, rank);
  }
  return number;
}

/** The mask of the other ranks, those above closed up by one: twelve ranks are left, and so fewer combinations. */
function kickers(ranks: number, rank: number): number {
  const below = (1 << rank) - 1;
  return (ranks & below) | ((ranks >> 1) & ~below);
}

const highest = (mask: number): number => 31 - Math.clz32(mask);
const without = (mask: number, rank: number): number => mask & ~(1 << rank);

/** Binomial coefficient. */
function choose(n: number, k: number): number {
  let result = 1;
  for (let i = 0; i < k; i++) result = (result * (n - i)) / (i + 1);
  return result;
}
