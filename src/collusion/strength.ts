import { DECK_SIZE, type Card, type Hole } from '../cards/card.js';
import { boardKey, evaluate5, evaluate6, evaluateWithBoard, type HandValue } from '../cards/evaluator.js';

/**
 * Bill Chen's points for two hole cards, unrounded (Krieger, "Hold'em Excellence", 2000, "The Chen formula"). They are
 * the high card's points, doubled for a pair. Suited cards get two more, gaps reduce them, and a chance of a straight
 * below a queen adds one.
 */
export function chenPoints([first, second]: Hole): number {
  const [high, low] = [Math.max(first >> 2, second >> 2), Math.min(first >> 2, second >> 2)];
  const points = HIGH_CARD[high] ?? (high + 2) / 2;
  if (high === low) return Math.max(5, 2 * points);
  const gap = high - low - 1;
  const suited = (first & 3) === (second & 3) ? 2 : 0;
  const straight = gap <= 1 && high < QUEEN ? 1 : 0;
  return points + suited - (GAPS[gap] ?? 5) + straight;
}

const QUEEN = 10;
/** By rank: ace, king, queen, jack. */
const HIGH_CARD: Readonly<Record<number, number>> = { 12: 10, 11: 8, 10: 7, 9: 6 };
const GAPS: readonly number[] = [0, 1, 2, 4];

/** Share of all starting hands that have fewer Chen points, by twice the points (which may be negative). */
const BELOW = sharesBelow();

function sharesBelow(): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (let a = 0; a < DECK_SIZE; a++) {
    for (let b = a + 1; b < DECK_SIZE; b++) {
      const key = 2 * chenPoints([a, b]);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const all = (DECK_SIZE * (DECK_SIZE - 1)) / 2;
  const shares = new Map<number, number>();
  let below = 0;
  for (const [key, count] of [...counts].sort(([a], [b]) => a - b)) {
    shares.set(key, (below + count / 2) / all);
    below += count;
  }
  return shares;
}

/** The best hand of two hole cards and the open board of three to five cards; `key` is a whole board's `boardKey`. */
function valueOf(board: ArrayLike<Card>, open: number, key: number, a: Card, b: Card): HandValue {
  if (open === 3) return evaluate5(board[0]!, board[1]!, board[2]!, a, b);
  if (open === 4) return evaluate6(board[0]!, board[1]!, board[2]!, board[3]!, a, b);
  return evaluateWithBoard(key, board, a, b);
}

/** Every third of the other hands is used: classes of strength need no more. */
const EVERY = 3;

/**
 * A hand's present strength from 0 to 1. Before the flop it is the share of starting hands with fewer Chen points. On
 * later streets it is the share of the other two-card hands that it beats. Ties count half ("hand strength" of
 * Billings, Papp, Schaeffer and Szafron, "Opponent Modeling in Poker", AAAI 1998). Cards to come do not count.
 */
export function handStrength(board: ArrayLike<Card>, open: number, hole: Hole): number {
  if (open === 0) return BELOW.get(2 * chenPoints(hole))!;
  const gone = new Uint8Array(DECK_SIZE);
  gone[hole[0]] = gone[hole[1]] = 1;
  for (let i = 0; i < open; i++) gone[board[i]!] = 1;
  const key = open === 5 ? boardKey(board) : 0;
  const own = valueOf(board, open, key, hole[0], hole[1]);
  let [points, all] = [0, 0];
  for (let a = 0; a < DECK_SIZE; a++) {
    if (gone[a] === 1) continue;
    for (let b = a + 1 + ((DECK_SIZE - a) % EVERY); b < DECK_SIZE; b += EVERY) {
      if (gone[b] === 1) continue;
      const other = valueOf(board, open, key, a, b);
      points += other < own ? 2 : other === own ? 1 : 0;
      all += 2;
    }
  }
  return points / all;
}

/** Whether the first hand is at least as good as the second as both stand. */
export function isAhead(board: ArrayLike<Card>, open: number, hole: Hole, other: Hole): boolean {
  if (open === 0) return chenPoints(hole) >= chenPoints(other);
  const key = open === 5 ? boardKey(board) : 0;
  return valueOf(board, open, key, hole[0], hole[1]) >= valueOf(board, open, key, other[0], other[1]);
}
