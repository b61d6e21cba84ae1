import { DECK_SIZE, type Card, type Hole } from '../cards/card.js';
import { boardKey, evaluate5, evaluate6, evaluateWithBoard, type HandValue } from '../cards/evaluator.js';

/** Classes of strength, and the shares of other hands that a hand of the next class beats at least. */
export const CLASSES = 10;
const LIMITS = [0.25, 0.42, 0.56, 0.68, 0.78, 0.86, 0.92, 0.96, 0.985];
/** Distances between the two cards of the other hands, in the sorted rest of the deck. */
const DISTANCES = [5, 11, 17];

const left = new Uint8Array(DECK_SIZE);
const others = new Int32Array(DISTANCES.length * DECK_SIZE);

/**
 * Writes the classes of hands on a board with 3 to 5 open cards into `classes`. The class is the share of other hands
 * that the hand beats now. A tie counts as a half. `rest` is sorted and has all cards that nobody holds. Two cards of
 * it at a distance are another hand.
 */
export function strengthClasses(
  classes: Int32Array,
  board: Uint8Array,
  open: number,
  holes: readonly Hole[],
  rest: readonly Card[],
): void {
  const all = 2 * otherHands(board, open, rest);
  const key = open === 5 ? boardKey(board) : 0;
  for (let i = 0; i < holes.length; i++) {
    const own = valueOf(board, open, key, holes[i]![0], holes[i]![1]);
    let points = 0;
    for (let n = 0; 2 * n < all; n++) points += others[n]! < own ? 2 : others[n] === own ? 1 : 0;
    let c = 0;
    while (c < CLASSES - 1 && points >= LIMITS[c]! * all) c++;
    classes[i] = c;
  }
}

/** Puts the values of other hands into `others`; returns their number. */
function otherHands(board: Uint8Array, open: number, rest: readonly Card[]): number {
  let size = 0;
  for (const card of rest) {
    let isOpen = false;
    for (let k = 0; k < open; k++) isOpen ||= board[k] === card;
    if (!isOpen) left[size++] = card;
  }
  const key = open === 5 ? boardKey(board) : 0;
  let count = 0;
  for (const distance of DISTANCES) {
    for (let t = 0; t < size; t++) {
      const u = t + distance < size ? t + distance : t + distance - size;
      others[count++] = valueOf(board, open, key, left[t]!, left[u]!);
    }
  }
  return count;
}

function valueOf(board: Uint8Array, open: number, key: number, a: Card, b: Card): HandValue {
  if (open === 3) return evaluate5(board[0]!, board[1]!, board[2]!, a, b);
  if (open === 4) return evaluate6(board[0]!, board[1]!, board[2]!, board[3]!, a, b);
  return evaluateWithBoard(key, board, a, b);
}
