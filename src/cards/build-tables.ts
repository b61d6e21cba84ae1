import { HAND_SIZES, RANK_KEYS, RANK_SET_SLOTS, SUIT_KEYS, SUIT_SLOTS } from './keys.js';
import { packRows, type PackedTable } from './pack.js';
import { valueOfFlush, valueOfRanks } from './value.js';

/** The tables for hands of one number of cards. */
export interface SizeTables {
  size: number;
  /** By the suits' sum: 1 + the suit that makes a flush, or 0. */
  flushSuits: Uint8Array;
  /** By the ranks' sum: the value when there is no flush. */
  ranks: PackedTable;
}

/** All tables of the evaluator, computed from the rules of poker; takes about a second. */
export interface EvaluatorTables {
  /** By bit mask of ranks of one suit: the value of the flush, 0 below five bits. */
  flushes: Uint16Array;
  sizes: SizeTables[];
}

/** Computes the tables from scratch. Pure, and the same on every machine. */
export function buildTables(): EvaluatorTables {
  const sizes = HAND_SIZES.map((size) => ({
    size,
    flushSuits: flushSuits(size),
    ranks: packRows(rankSums(size)),
  }));
  return { flushes: flushValues(), sizes };
}

function flushValues(): Uint16Array {
  const values = new Uint16Array(RANK_SET_SLOTS);
  for (let ranks = 0; ranks < RANK_SET_SLOTS; ranks++) {
    if (bitCount(ranks) >= 5) values[ranks] = valueOfFlush(ranks);
  }
  return values;
}

function flushSuits(size: number): Uint8Array {
  const bySum = new Map<number, number>();
  forEachMultiset(SUIT_KEYS, size, size, (sum, counts) => {
    const suit = counts.findIndex((count) => count >= 5);
    if (bySum.has(sum) && bySum.get(sum) !== suit) throw new Error(`suit sum ${sum} of ${size} cards is ambiguous`);
    bySum.set(sum, suit);
  });
  const table = new Uint8Array(SUIT_SLOTS);
  for (const [sum, suit] of bySum) table[sum] = suit + 1;
  return table;
}

function rankSums(size: number): Map<number, number> {
  const bySum = new Map<number, number>();
  forEachMultiset(RANK_KEYS, size, 4, (sum, counts) => {
    if (bySum.has(sum)) throw new Error(`rank sum ${sum} of ${size} cards is ambiguous`);
    bySum.set(sum, valueOfRanks(counts));
  });
  return bySum;
}

/**
 * Calls `visit` with every way to choose `size` of the keys, each at most `most` times: their sum, and how many of
 * each.
 */
function forEachMultiset(
  keys: readonly number[],
  size: number,
  most: number,
  visit: (sum: number, counts: readonly number[]) => void,
): void {
  const counts = keys.map(() => 0);
  const choose = (from: number, left: number, sum: number): void => {
    if (left === 0) return visit(sum, counts);
    if (from === keys.length) return;
    for (let count = 0; count <= Math.min(most, left); count++) {
      counts[from] = count;
      choose(from + 1, left - count, sum + count * keys[from]!);
    }
    counts[from] = 0;
  };
  choose(0, size, 0);
}

function bitCount(mask: number): number {
  let count = 0;
  for (let rest = mask; rest; rest &= rest - 1) count++;
  return count;
}
