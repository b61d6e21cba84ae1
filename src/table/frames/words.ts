import { CARD_NAMES } from '../../cards/card.js';
import { asciiBytes, type ByteWriter } from './byte-writer.js';

/** Words of the wire, prepared once. */

/** Card codes as JSON strings: "As". */
const CARDS_JSON: readonly string[] = CARD_NAMES.map((name) => `"${name}"`);
/** By Act. */
export const ACTION_NAMES = ['fold', 'check', 'call', 'raise', 'all_in'] as const;
/** By Street. */
export const STREET_NAMES = ['preflop', 'flop', 'turn', 'river'] as const;

/** By Post. */
export const POST_NAMES = ['small_blind', 'big_blind', 'return'] as const;

/** Act codes by the name that a client sends. */
export const ACT_NUMBERS = { fold: 0, check: 1, call: 2, raise: 3, all_in: 4 } as const;

/** A JSON array of the cards [from, to). */
export function writeCards(w: ByteWriter, cards: ArrayLike<number>, from: number, to: number): void {
  w.ascii('[');
  for (let i = from; i < to; i++) {
    if (i > from) w.ascii(',');
    w.ascii(CARDS_JSON[cards[i]!]!);
  }
  w.ascii(']');
}

/** A whole number, or null. */
export function writeIntOrNull(w: ByteWriter, value: number | null): void {
  if (value === null) w.ascii('null');
  else w.int(value);
}

/** `,"key":` as bytes, for longer keys. */
export const key = (name: string): Uint8Array => asciiBytes(`,"${name}":`);
