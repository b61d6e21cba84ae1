import { CELLS, TIME_CLASSES, type CellCounts } from './cells.js';

/** Fewer decision times than this say nothing of a bot's pace. */
const ENOUGH = 100;

/** The shares of a player's decision times by class; null where too few are known. */
export function paceOfCells(cells: CellCounts): Float64Array | null {
  const shares = new Float64Array(TIME_CLASSES);
  let all = 0;
  for (const [cell, count] of cells) {
    if (cell < CELLS) continue;
    shares[cell - CELLS] = count;
    all += count;
  }
  return all < ENOUGH ? null : shares.map((count) => count / all);
}

/** How far two paces are the same, from 0 to 1: the part of the one histogram that lies under the other. */
export const overlap = (a: Float64Array, b: Float64Array): number =>
  a.reduce((sum, share, i) => sum + Math.min(share, b[i]!), 0);
