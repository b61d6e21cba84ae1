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
  suits.set(bytesOf(flushSuits));
  return { flushSuits: suits, rows: words(rows, ROW_SLOTS), values: words(values, VALUE_SLOTS) };
}

/** Unpacks the values of flushes by mask of ranks. */
export const unpackFlushes = (text: string): Uint16Array => words(text, RANK_SET_SLOTS);

/** Little-endian 16-bit words, whatever the machine's own order. */
function words(text: string, slots: number): Uint16Array {
  const bytes = bytesOf(text);
  const table = new Uint16Array(slots);
  for (let i = 0; i < bytes.length >> 1; i++) table[i] = bytes[2 * i]! | (bytes[2 * i + 1]! << 8);
  return table;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The bytes of base64 text. Without Node's Buffer: pages in a browser use the tables, too. */
function bytesOf(text: string): Uint8Array {
  const digits = new Uint8Array(128);
  for (let i = 0; i < LETTERS.length; i++) digits[LETTERS.charCodeAt(i)] = i;
  const length = text.indexOf('=') < 0 ? text.length : text.indexOf('=');
  const bytes = new Uint8Array((length * 3) >> 2);
  let [bits, filled, at] = [0, 0, 0];
  for (let i = 0; i < length; i++) {
    bits = ((bits << 6) | digits[text.charCodeAt(i)]!) & 0xffff;
    filled += 6;
    if (filled < 8) continue;
    filled -= 8;
    bytes[at++] = bits >> filled;
  }
  return bytes;
}
