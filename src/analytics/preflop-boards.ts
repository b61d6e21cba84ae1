import { DECK_SIZE, type Card } from '../cards/card.js';
import { boardKey, evaluateRanks, evaluateWithBoard, keyOf } from '../cards/evaluator.js';
import { OrderCounts, type Orders } from './orders.js';
import type { Hole } from '../cards/card.js';

const [RANKS, SUITS, BOARD, FLUSH] = [13, 4, 5, 5];

/** Ways to choose so many (0 to 4) of some cards (0 to 4). */
const WAYS = [
  [1, 0, 0, 0, 0],
  [1, 1, 0, 0, 0],
  [1, 2, 1, 0, 0],
  [1, 3, 3, 1, 0],
  [1, 4, 6, 4, 1],
] as const;

/**
 * The orders of hands over all boards before the flop: 1,712,304 with two hands, but 6,175 at most by their ranks. So
 * each is counted by its ranks first, as often as there are cards for it, as if no suit mattered. Then each board that
 * allows a flush (one in five to fifteen) is corrected: its count is taken back, and the true one is added. The result
 * is that of looking at all.
 */
export function countBeforeFlop(holes: readonly Hole[]): Orders {
  const counts = new OrderCounts(holes.length);
  const known = new Set(holes.flat());
  const rest = Array.from({ length: DECK_SIZE }, (_, card) => card).filter((card) => !known.has(card));
  countByRanks(holes, rest, counts);
  for (let suit = 0; suit < SUITS; suit++) {
    const most = Math.max(...holes.map((hole) => hole.filter((card) => (card & 3) === suit).length));
    correctFlushes(holes, rest, suit, FLUSH - most, counts);
  }
  return counts.orders;
}

const sumOf = ([a, b]: Hole) => (keyOf(a) + keyOf(b)) | 0;

function countByRanks(holes: readonly Hole[], rest: readonly Card[], counts: OrderCounts): void {
  const own = holes.map(sumOf);
  const left = Array.from({ length: RANKS }, (_, rank) => rest.filter((card) => card >> 2 === rank).length);
  /** `ways`: in how many suits the cards that were chosen so far can be. */
  const choose = (rank: number, missing: number, sum: number, ways: number): void => {
    if (missing === 0) {
      for (let i = 0; i < own.length; i++) counts.values[i] = evaluateRanks((sum + own[i]!) | 0);
      return counts.add(ways);
    }
    if (rank === RANKS) return;
    const most = Math.min(missing, left[rank]!);
    for (let n = 0; n <= most; n++) {
      choose(rank + 1, missing - n, sum + n * keyOf(rank << 2), ways * WAYS[left[rank]!]![n]!);
    }
  };
  choose(0, BOARD, 0, 1);
}

/**
 * Boards with so many cards of the suit, or more: a hand may have a flush on them. With three or more, no other suit
 * has as many.
 */
function correctFlushes(
  holes: readonly Hole[],
  rest: readonly Card[],
  suit: number,
  least: number,
  counts: OrderCounts,
): void {
  const own = holes.map(sumOf);
  const suited = rest.filter((card) => (card & 3) === suit);
  const others = rest.filter((card) => (card & 3) !== suit);
  const board = new Uint8Array(BOARD);
  const correct = (): void => {
    const key = boardKey(board);
    for (let i = 0; i < own.length; i++) counts.values[i] = evaluateRanks((key + own[i]!) | 0);
    counts.add(-1);
    for (let i = 0; i < own.length; i++) {
      counts.values[i] = evaluateWithBoard(key, board, holes[i]![0], holes[i]![1]);
    }
    counts.add(1);
  };
  const fill = (place: number, from: number): void => {
    if (place === BOARD) return correct();
    for (let i = from; i < others.length; i++) {
      board[place] = others[i]!;
      fill(place + 1, i + 1);
    }
  };
  const choose = (place: number, from: number): void => {
    if (place >= least) fill(place, 0);
    for (let i = from; place < BOARD && i < suited.length; i++) {
      board[place] = suited[i]!;
      choose(place + 1, i + 1);
    }
  };
  choose(0, 0);
}
