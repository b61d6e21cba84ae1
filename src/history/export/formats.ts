import { stringify } from 'csv-stringify/sync';
import { Hand } from '../../holdem/hand.js';
import type { StoredHand } from '../../table/record-codec.js';
import type { HandRow } from '../queries.js';
import { phhHand } from './phh.js';
import { pokerStarsHand } from './pokerstars.js';
import { CSV_COLUMNS, csvCells, exportedHand } from './record-row.js';
import { seenBy } from './seen.js';

export type Format = 'csv' | 'json' | 'phh' | 'pokerstars';

/** Hands of one agent, the names of all who played them by agent id, and how many were written before. */
export interface Batch {
  agentId: string;
  hands: readonly { row: HandRow; stored: StoredHand }[];
  names: ReadonlyMap<string, string>;
  written: number;
}

interface FileForm {
  contentType: string;
  extension: string;
  /** Before the first hand and after the last. */
  head: string;
  tail: string;
  write(batch: Batch): string;
}

/** One a thread, reused from hand to hand. */
const engine = new Hand();
const seen = ({ hands, agentId, names }: Batch) => hands.map(({ stored }) => seenBy(stored, agentId, names, engine));
const exported = ({ hands, names }: Batch) => hands.map(({ row, stored }) => exportedHand(row, stored, names));

export const FORMATS: Readonly<Record<Format, FileForm>> = {
  csv: {
    contentType: 'text/csv; charset=utf-8',
    extension: 'csv',
    head: stringify([CSV_COLUMNS]),
    tail: '',
    write: (batch) => stringify(exported(batch).map(csvCells)),
  },
  json: {
    contentType: 'application/json',
    extension: 'json',
    head: '{"hands":[',
    tail: '\n]}\n',
    write: (batch) =>
      exported(batch)
        .map((hand, n) => `${batch.written + n > 0 ? ',' : ''}\n${JSON.stringify(hand)}`)
        .join(''),
  },
  phh: {
    contentType: 'application/toml',
    extension: 'phhs',
    head: '',
    tail: '',
    write: (batch) =>
      seen(batch)
        .map((hand, n) => phhHand(hand, batch.written + n + 1))
        .join(''),
  },
  pokerstars: {
    contentType: 'text/plain; charset=utf-8',
    extension: 'txt',
    head: '',
    tail: '',
    write: (batch) => seen(batch).map(pokerStarsHand).join(''),
  },
};
