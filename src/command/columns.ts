/**
 * Rows as lines below each other, each column as wide as its widest cell. The first `words` columns are words. The
 * others are numbers and stand to the right.
 */
export function columns(rows: readonly (readonly string[])[], words = Infinity): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]!.length))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => (column < words ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
}

/** A gain with its plus. */
export const signed = (value: number, digits = 0): string => (value > 0 ? '+' : '') + value.toFixed(digits);
