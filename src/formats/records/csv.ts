import { HandFileError, type FilePart } from '../file.js';
import { CARD_COLUMNS, JSON_COLUMNS, NUMBER_COLUMNS } from './columns.js';

/** Our own CSV begins with these columns. */
export const looksLikeCsv = (text: string): boolean => /^[\s\uFEFF]*"?hand_id"?,"?table_id"?,/.test(text);

/** The rows of a CSV file, without its head. */
export function splitCsv(text: string): FilePart[] {
  const parts: FilePart[] = [];
  let line = 1;
  for (let from = 0; from < text.length;) {
    const to = endOfRow(text, from);
    const row = text.slice(from, to);
    if (from > 0 && row.trim() !== '') parts.push({ number: parts.length + 1, line, from, to, format: 'csv' });
    line += row.split('\n').length - 1;
    from = to;
  }
  return parts;
}

/** Behind the line feed that ends a row: one in quotes is a part of a cell. */
function endOfRow(text: string, from: number): number {
  let quoted = false;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '"') quoted = !quoted;
    else if (text[at] === '\n' && !quoted) return at + 1;
  }
  return text.length;
}

/** A row as the record that it was written from. @throws {HandFileError} */
export function recordOfRow(text: string, { from, to, line }: FilePart): Record<string, unknown> {
  const columns = cellsOf(text.slice(0, endOfRow(text, 0)).replace(/^\uFEFF/, ''));
  const cells = cellsOf(text.slice(from, to));
  if (cells.length !== columns.length) {
    throw new HandFileError(`The row has ${cells.length} cells, and the file has ${columns.length} columns.`, line);
  }
  if (!columns.includes('players') || !columns.includes('actions')) {
    throw new HandFileError('The file does not have the columns "players" and "actions" of our exports.', line);
  }
  return Object.fromEntries(columns.map((column, i) => [column, valueOf(column, cells[i]!, line)]));
}

function valueOf(column: string, cell: string, line: number): unknown {
  if (CARD_COLUMNS.has(column)) return cell.match(/../g) ?? [];
  if (cell === '') return null;
  if (NUMBER_COLUMNS.has(column)) return Number(cell);
  if (!JSON_COLUMNS.has(column)) return cell;
  try {
    return JSON.parse(cell);
  } catch (error) {
    if (error instanceof SyntaxError) throw new HandFileError(`The column "${column}" is no JSON.`, line);
    throw error;
  }
}

/** The cells of a row (RFC 4180). */
function cellsOf(row: string): string[] {
  const cells = row.replace(/\r?\n$/, '').match(/(?:^|,)(?:"(?:[^"]|"")*"|[^,]*)/g) ?? [];
  return cells.map((cell, i) => {
    const text = i > 0 || cell.startsWith(',') ? cell.slice(1) : cell;
    return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;
  });
}
