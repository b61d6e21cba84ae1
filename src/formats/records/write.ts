import { stringify } from 'csv-stringify/sync';
import { CARD_COLUMNS } from './columns.js';

/** Our records of hands as texts: JSON and CSV. */

export const LIST_HEAD = '{"hands":[';
export const LIST_END = '\n]}\n';

/** Records of a list in JSON; `written` are in the file before them. */
export const jsonRecords = (records: readonly unknown[], written: number): string =>
  records.map((record, n) => `${written + n > 0 ? ',' : ''}\n${JSON.stringify(record)}`).join('');

export const csvHead = (columns: readonly string[]): string => stringify([columns]);

/** Rows of CSV: cards in one word, lists and maps as JSON. */
export const csvRecords = <R extends object>(records: readonly R[], columns: readonly (keyof R & string)[]): string =>
  stringify(records.map((record) => columns.map((column) => cellOf(column, record[column]))));

function cellOf(column: string, value: unknown): string | number {
  if (value === null) return '';
  if (typeof value === 'string' || typeof value === 'number') return value;
  return CARD_COLUMNS.has(column) && Array.isArray(value) ? value.join('') : JSON.stringify(value);
}
