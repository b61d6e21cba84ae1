import { DECK_SIZE, type Card, type Hole } from '../cards/card.js';
import { boardKey, evaluate5, evaluate6, evaluateWithBoard } from '../cards/evaluator.js';
import { MAX_SEATS } from '../holdem/types.js';

/** Classes of strength, and the shares of other hands that a hand of the next class beats at least. */
export const CLASSES = 10;
const LIMITS = [0.25, 0.42, 0.56, 0.68, 0.78, 0.86, 0.92, 0.96, 0.985];
/** Distances between the two cards of the other hands, in the sorted rest of the deck. */
const DISTANCES = [5, 11, 17];

const points = new Int32Array(MAX_SEATS);
const own = new Int32Array(MAX_SEATS);
const left = new Uint8Array(DECK_SIZE);

/**
 * The classes of hands on a board with 3 to 5 open cards, into `classes`: by the share of other hands that each beats now,
 * ties counted half. `rest` is sorted and has all cards that nobody holds. Two cards of it at a distance are another
 * hand.
 */
export function strengthClasses(
  classes: Int32Array,
  board: ArrayLike<Card>,
  open: number,
  holes: readonly Hole[],
  rest: ArrayLike<Card>,
): void {
  let size = 0;
  next: for (let i = 0; i < rest.length; i++) {
    for (let k = 0; k < open; k++) if (board[k] === rest[i]) continue next;
    left[size++] = rest[i]!;
  }
  const key = open === 5 ? boardKey(board) : 0;
  const k = holes.length;
  for (let i = 0; i < k; i++) {
    own[i] = valueOf(board, open, key, holes[i]![0], holes[i]![1]);
    points[i] = 0;
  }
  for (const distance of DISTANCES) {
    for (let t = 0; t < size; t++) {
      const u = t + distance < size ? t + distance : t + distance - size;
      const other = valueOf(board, open, key, left[t]!, left[u]!);
      for (let i = 0; i < k; i++) points[i] = points[i]! + (other < own[i]! ? 2 : other === own[i]! ? 1 : 0);
    }
  }
  const all = 2 * DISTANCES.length * size;
  for (let i = 0; i < k; i++) {
    let c = 0;
    while (c < CLASSES - 1 && points[i]! >= LIMITS[c]! * all) c++;
    classes[i] = c;
  }
}

function valueOf(board: ArrayLike<Card>, open: number, key: number, a: Card, b: Card): number {
  if (open === 3) return evaluate5(board[0]!, board[1]!, board[2]!, a, b);
  if (open === 4) return evaluate6(board[0]!, board[1]!, board[2]!, board[3]!, a, b);
  return evaluateWithBoard(key, board, a, b);
}
