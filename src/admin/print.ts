/** How commands show their answers to people. */

export const day = (date: Date) => date.toISOString().slice(0, 10);

/** Rows below each other, each column as wide as its widest cell. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]!.length))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd(),
  );
}

/** The last line of a page of a list. */
export const pageLine = (offset: number, shown: number, matching: number) =>
  shown === 0 ? 'none' : `${offset + 1} to ${offset + shown} of ${matching}`;
