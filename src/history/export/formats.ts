import { stringify } from 'csv-stringify/sync';
import { Hand } from '../../holdem/hand.js';
import type { StoredHand } from '../../table/record/record-codec.js';
import type { HandRow } from '../queries.js';
import type { Sight } from '../sight.js';
import { phhHand } from './phh.js';
import { POOL_COLUMNS, poolCells, poolRow } from './pool-row.js';
import { pokerStarsHand } from './pokerstars.js';
import { CSV_COLUMNS, csvCells, exportedHand } from './record-row.js';
import { seenBy } from './seen.js';

export type Format = 'csv' | 'json' | 'phh' | 'pokerstars';

export interface Stored {
  stored: StoredHand;
}

/** A hand with what its player made of it. */
interface Own extends Stored {
  row: HandRow;
}

/** Hands that one sees, the names of all who played them by agent id, and how many were written before. */
export interface Batch<H extends Stored> {
  sight: Sight;
  inCompetition: boolean;
  hands: readonly H[];
  names: ReadonlyMap<string, string>;
  written: number;
}

export interface FileForm<H extends Stored> {
  contentType: string;
  extension: string;
  /** Before the first hand and after the last. */
  head: string;
  tail: string;
  write(batch: Batch<H>): string;
}

/** How the hands look as records: in CSV and JSON. */
interface Records<H extends Stored, R> {
  columns: readonly string[];
  of(hand: H, batch: Batch<H>): R;
  cells(record: R): (string | number)[];
}

/** One a thread, reused from hand to hand. */
const engine = new Hand();
const seen = ({ hands, sight, names }: Batch<Stored>) =>
  hands.map(({ stored }) => seenBy(stored, sight, names, engine));

function forms<H extends Stored, R>({ columns, of, cells }: Records<H, R>): Readonly<Record<Format, FileForm<H>>> {
  const records = (batch: Batch<H>) => batch.hands.map((hand) => of(hand, batch));
  return {
    csv: {
      contentType: 'text/csv; charset=utf-8',
      extension: 'csv',
      head: stringify([columns]),
      tail: '',
      write: (batch) => stringify(records(batch).map(cells)),
    },
    json: {
      contentType: 'application/json',
      extension: 'json',
      head: '{"hands":[',
      tail: '\n]}\n',
      write: (batch) =>
        records(batch)
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
          .map((hand, n) => phhHand(hand, batch.written + n + 1, batch.inCompetition))
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
}

/** The own hands of a player. */
export const FORMATS = forms({
  columns: CSV_COLUMNS,
  of: ({ row, stored }: Own, { names, inCompetition }) => exportedHand(row, stored, names, inCompetition),
  cells: csvCells,
});

/** Hands of a pool, of no player in particular. */
export const POOL_FORMATS = forms({
  columns: POOL_COLUMNS,
  of: ({ stored }: Stored, { names, sight }) => poolRow(stored, names, sight),
  cells: poolCells,
});

/** What a file is called by, and what stands around its hands, whoever sees them. */
export const frameOf = ({ kind }: Sight, format: Format): Omit<FileForm<never>, 'write'> =>
  (kind === 'player' ? FORMATS : POOL_FORMATS)[format];
