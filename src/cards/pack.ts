import { COLUMN_MASK, ROW_SHIFT, ROW_SLOTS, ROW_STEP, VALUE_SLOTS } from './keys.js';

/** A perfect hash by row displacement: the value of key k stands at `rows[k >> 9] * 2 + (k & 511)`. */
export interface PackedTable {
  /** Offsets in steps of ROW_STEP places, so that they fit sixteen bits. */
  rows: Uint16Array;
  values: Uint16Array;
}

/**
 * Lays the rows of a sparse table over one another, so that their entries fill one dense array. The fullest rows come
 * first, each at the lowest offset without a collision. Deterministic, so that the asset can be rebuilt byte for byte.
 *
 * @throws {Error} when the entries do not fit the run-time table.
 */
export function packRows(entries: ReadonlyMap<number, number>): PackedTable {
  const columnsOf = new Map<number, number[]>();
  for (const key of entries.keys()) {
    const row = key >> ROW_SHIFT;
    const columns = columnsOf.get(row) ?? [];
    columns.push(key & COLUMN_MASK);
    columnsOf.set(row, columns);
  }

  const rows = new Uint16Array(ROW_SLOTS);
  const values = new Uint16Array(VALUE_SLOTS);
  const search = new Search();
  const fullestFirst = [...columnsOf].sort(([a, x], [b, y]) => y.length - x.length || a - b);
  for (const [row, columns] of fullestFirst) {
    const offset = search.take(columns);
    rows[row] = offset / ROW_STEP;
    for (const column of columns) values[offset + column] = entries.get((row << ROW_SHIFT) | column)!;
  }
  return { rows, values: values.slice(0, search.end) };
}

/** The places of the value array that are still free. */
class Search {
  /** One past the last place in use. */
  end = 0;
  private readonly used = new Uint8Array(VALUE_SLOTS);
  /** No place below is free. */
  private firstFree = 0;

  /** Takes the lowest offset at which all columns fall on free places. */
  take(columns: number[]): number {
    columns.sort((a, b) => a - b);
    const last = columns.at(-1)!;
    while (this.used[this.firstFree]) this.firstFree++;
    const start = Math.ceil(Math.max(0, this.firstFree - columns[0]!) / ROW_STEP) * ROW_STEP;
    for (let offset = start; offset + last < VALUE_SLOTS; offset += ROW_STEP) {
      if (!this.fits(offset, columns)) continue;
      for (const column of columns) this.used[offset + column] = 1;
      this.end = Math.max(this.end, offset + last + 1);
      return offset;
    }
    throw new Error(`a row of ${columns.length} entries does not fit into ${VALUE_SLOTS} places`);
  }

  private fits(offset: number, columns: readonly number[]): boolean {
    for (let i = 0; i < columns.length; i++) if (this.used[offset + columns[i]!]) return false;
    return true;
  }
}
