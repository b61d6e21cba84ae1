import { DECK_SIZE } from './card.js';

/**
 * Every card has a 32-bit key, `suitKey << 23 | rankKey`. The keys of a hand are added, in any order and in parts (the
 * board once, each player's two on top). The carry over bit 31 is dropped, and no hand depends on it.
 *
 * - Rank keys: no two sets of seven (hence six, five) ranks with at most four of each have the same sum. The largest
 *   sum is below 2^23.
 * - Suit keys: the sum tells whether, and in which suit, five cards or more agree; it stays below 2^9.
 *
 * Sums of different numbers of cards may coincide, so the tables to look them up in are per number of cards.
 */
export const RANK_KEYS = [0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181] as const;
export const SUIT_KEYS = [0, 1, 29, 37] as const;

/** Where the suits' sum starts; the bits below are the ranks' sum. */
export const SUIT_SHIFT = 23;
export const RANK_MASK = (1 << SUIT_SHIFT) - 1;

/**
 * The hash of a ranks' sum: its high bits choose a row, its low nine a column. The row's offset plus the column is the
 * place of the value. Rows are laid over one another so that no two entries meet (see pack.ts).
 */
export const ROW_SHIFT = 9;
export const COLUMN_MASK = (1 << ROW_SHIFT) - 1;
/** Rows start at even places only: halved, their offsets fit 16 bits, which halves the table of offsets. */
export const ROW_STEP = 2;

/**
 * Sizes of the tables at run time. They are powers of two over the whole range of their index. So a masked or shifted
 * index is provably inside, and the compiler drops the bounds check (a factor of two and more). Keys are looked up by
 * whatever a byte can hold, as cards mostly come out of byte arrays.
 */
export const KEY_SLOTS = 256;
export const ROW_SLOTS = 1 << (SUIT_SHIFT - ROW_SHIFT);
export const VALUE_SLOTS = 1 << 17;
export const SUIT_SLOTS = 1 << (32 - SUIT_SHIFT);
export const RANK_SET_SLOTS = 1 << 13;

/** Numbers of cards that can be evaluated. */
export const HAND_SIZES = [5, 6, 7] as const;

/** The key of each card code, padded. */
export const CARD_KEYS = new Int32Array(KEY_SLOTS);
for (let card = 0; card < DECK_SIZE; card++) {
  CARD_KEYS[card] = (SUIT_KEYS[card & 3]! << SUIT_SHIFT) + RANK_KEYS[card >> 2]!;
}
