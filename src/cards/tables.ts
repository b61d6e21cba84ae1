import { RANK_SET_SLOTS, ROW_SLOTS, SUIT_SLOTS, VALUE_SLOTS } from './keys.js';

/** The packed base64 text of one size's tables, as tables.generated.ts holds it. */
interface Packed {
  flushSuits: string;
  rows: string;
  values: string;
}

/** The tables for one number of cards, unpacked and padded to the powers of two that the evaluator masks to. */
export interface UnpackedTables {
  flushSuits: Uint8Array;
  rows: Uint16Array;
  values: Uint16Array;
}

/** Unpacks the tables for one number of cards. */
export function unpack({ flushSuits, rows, values }: Packed): UnpackedTables {
  const suits = new Uint8Array(SUIT_SLOTS);
  suits.set(Buffer.from(flushSuits, 'base64'));
  return { flushSuits: suits, rows: words(rows, ROW_SLOTS), values: words(values, VALUE_SLOTS) };
}

/** Unpacks the values of flushes by mask of ranks. */
export const unpackFlushes = (text: string): Uint16Array => words(text, RANK_SET_SLOTS);

/** Little-endian 16-bit words, whatever the machine's own order. */
function words(text: string, slots: number): Uint16Array {
  const bytes = Buffer.from(text, 'base64');
  const table = new Uint16Array(slots);
  for (let i = 0; i < bytes.length >> 1; i++) table[i] = bytes[2 * i]! | (bytes[2 * i + 1]! << 8);
  return table;
}
