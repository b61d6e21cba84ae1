/**
 * The value of the best five of five, six or seven cards: a few additions and at most three dependent look-ups.
 *
 * The cards' keys are added. The sum's high bits tell whether there is a flush, and its suit. Without one (97 % of
 * seven cards) the low bits are hashed to the value. With a flush the mask of the ranks of its suit is looked up. No
 * better hand is missed then: seven cards with five of one suit make no full house and no four of a kind.
 *
 * Each function writes the look-up out, with its own constants: shared helpers measure slower.
 *
 * Cards must be different and valid; nothing is checked here. Every thread that imports the module has its own tables.
 */
import { DECK_SIZE, type Card } from './card.js';
import * as keys from './keys.js';
import { FLUSHES, HAND_OF_5, HAND_OF_6, HAND_OF_7 } from './tables.generated.js';
import { unpack, unpackFlushes } from './tables.js';
import type { HandValue } from './value.js';

export { Category, category, type HandValue } from './value.js';

// The compiler folds a module's own constants and drops the bounds checks they prove needless; it folds no imported
// ones.
const { SUIT_SHIFT, RANK_MASK, ROW_SHIFT, COLUMN_MASK } = keys;
const VALUE_MASK = keys.VALUE_SLOTS - 1;
const RANK_SET_MASK = keys.RANK_SET_SLOTS - 1;
const SUIT_BITS_SHIFT = 6;
const SUIT_BITS_MASK = (8 << SUIT_BITS_SHIFT) - 1;

const KEYS = keys.CARD_KEYS;
const FLUSH_VALUES = unpackFlushes(FLUSHES);
const { flushSuits: SUITS_7, rows: ROWS_7, values: VALUES_7 } = unpack(HAND_OF_7);
const { flushSuits: SUITS_6, rows: ROWS_6, values: VALUES_6 } = unpack(HAND_OF_6);
const { flushSuits: SUITS_5, rows: ROWS_5, values: VALUES_5 } = unpack(HAND_OF_5);

/**
 * At index `flush << 6 | card`, where `flush` = 1 + suit: the bit of the card's rank if the card has this suit, else 0.
 */
const SUIT_BITS = new Uint16Array(SUIT_BITS_MASK + 1);
for (let card = 0; card < DECK_SIZE; card++) SUIT_BITS[(((card & 3) + 1) << SUIT_BITS_SHIFT) | card] = 1 << (card >> 2);

/** The value of the best five of seven cards; higher wins, equal ties. */
export function evaluate7(c0: Card, c1: Card, c2: Card, c3: Card, c4: Card, c5: Card, c6: Card): HandValue {
  const sum = (KEYS[c0]! + KEYS[c1]! + KEYS[c2]! + KEYS[c3]! + KEYS[c4]! + KEYS[c5]! + KEYS[c6]!) | 0;
  const flush = SUITS_7[sum >>> SUIT_SHIFT]!;
  if (flush !== 0) return flushValue(flush, c0, c1, c2, c3, c4, c5, c6);
  return VALUES_7[((ROWS_7[(sum & RANK_MASK) >>> ROW_SHIFT]! << 1) + (sum & COLUMN_MASK)) & VALUE_MASK]!;
}

/**
 * The board's part of a showdown, to be computed once and given to `evaluateWithBoard` for every live hand.
 * `board` holds the five community cards.
 */
export function boardKey(board: ArrayLike<Card>): number {
  return (KEYS[board[0]!]! + KEYS[board[1]!]! + KEYS[board[2]!]! + KEYS[board[3]!]! + KEYS[board[4]!]!) | 0;
}

/** The value of two hole cards with a board, given that board's `boardKey`. Equals `evaluate7`. */
export function evaluateWithBoard(key: number, board: ArrayLike<Card>, hole0: Card, hole1: Card): HandValue {
  const sum = (key + KEYS[hole0]! + KEYS[hole1]!) | 0;
  const flush = SUITS_7[sum >>> SUIT_SHIFT]!;
  if (flush !== 0) return flushValue(flush, board[0]!, board[1]!, board[2]!, board[3]!, board[4]!, hole0, hole1);
  return VALUES_7[((ROWS_7[(sum & RANK_MASK) >>> ROW_SHIFT]! << 1) + (sum & COLUMN_MASK)) & VALUE_MASK]!;
}

/** The key of one card: its part of a `boardKey`. */
export const keyOf = (card: Card): number => KEYS[card]!;

/** The value of seven cards by the sum of their keys, as if no five of them were of one suit: by their ranks alone. */
export function evaluateRanks(sum: number): HandValue {
  return VALUES_7[((ROWS_7[(sum & RANK_MASK) >>> ROW_SHIFT]! << 1) + (sum & COLUMN_MASK)) & VALUE_MASK]!;
}

/** The value of the best five of six cards, on the same scale as `evaluate7`. */
export function evaluate6(c0: Card, c1: Card, c2: Card, c3: Card, c4: Card, c5: Card): HandValue {
  const sum = (KEYS[c0]! + KEYS[c1]! + KEYS[c2]! + KEYS[c3]! + KEYS[c4]! + KEYS[c5]!) | 0;
  const flush = SUITS_6[sum >>> SUIT_SHIFT]!;
  if (flush !== 0) return flushValue(flush, c0, c1, c2, c3, c4, c5, c5);
  return VALUES_6[((ROWS_6[(sum & RANK_MASK) >>> ROW_SHIFT]! << 1) + (sum & COLUMN_MASK)) & VALUE_MASK]!;
}

/** The value of five cards, on the same scale as `evaluate7`. */
export function evaluate5(c0: Card, c1: Card, c2: Card, c3: Card, c4: Card): HandValue {
  const sum = (KEYS[c0]! + KEYS[c1]! + KEYS[c2]! + KEYS[c3]! + KEYS[c4]!) | 0;
  const flush = SUITS_5[sum >>> SUIT_SHIFT]!;
  if (flush !== 0) return flushValue(flush, c0, c1, c2, c3, c4, c4, c4);
  return VALUES_5[((ROWS_5[(sum & RANK_MASK) >>> ROW_SHIFT]! << 1) + (sum & COLUMN_MASK)) & VALUE_MASK]!;
}

/** The flush or straight flush in the suit `flush - 1`; a card given twice counts once, so fewer cards may be padded. */
function flushValue(flush: number, c0: Card, c1: Card, c2: Card, c3: Card, c4: Card, c5: Card, c6: Card): HandValue {
  const suit = flush << SUIT_BITS_SHIFT;
  const ranks =
    SUIT_BITS[(suit | c0) & SUIT_BITS_MASK]! |
    SUIT_BITS[(suit | c1) & SUIT_BITS_MASK]! |
    SUIT_BITS[(suit | c2) & SUIT_BITS_MASK]! |
    SUIT_BITS[(suit | c3) & SUIT_BITS_MASK]! |
    SUIT_BITS[(suit | c4) & SUIT_BITS_MASK]! |
    SUIT_BITS[(suit | c5) & SUIT_BITS_MASK]! |
    SUIT_BITS[(suit | c6) & SUIT_BITS_MASK]!;
  return FLUSH_VALUES[ranks & RANK_SET_MASK]!;
}
