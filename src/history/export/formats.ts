import { PLAYER_COLUMNS, POOL_COLUMNS } from '../../formats/records/columns.js';
import type { ReplayHand } from '../../formats/hand.js';
import { writePhh } from '../../formats/phh/write.js';
import { writePokerStars } from '../../formats/pokerstars/write.js';
import { csvHead, csvRecords, jsonRecords, LIST_END, LIST_HEAD } from '../../formats/records/write.js';
import { Hand } from '../../holdem/hand.js';
import type { StoredHand } from '../../table/record/record-codec.js';
import type { HandRow } from '../queries.js';
import type { Sight } from '../sight.js';
import { poolHandItem } from '../pool-hands.js';
import { exportedHand } from './record-row.js';
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
export interface ExportBatch<H extends Stored> {
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
  write(batch: ExportBatch<H>): string;
}

/** How the hands look as records: in CSV and JSON. */
interface Records<H extends Stored, R> {
  columns: readonly (keyof R & string)[];
  of(hand: H, batch: ExportBatch<H>): R;
}

/** One a thread, reused from hand to hand. */
const engine = new Hand();
const seen = ({ hands, sight, names }: ExportBatch<Stored>) =>
  hands.map(({ stored }) => ({ stored, hand: seenBy(stored, sight, names, engine) }));

/** A hand in PHH, as the nth section of its file. */
export const phhText = (
  hand: ReplayHand,
  { poolId }: Pick<StoredHand, 'poolId'>,
  { section, inCompetition }: { section: number; inCompetition: boolean },
): string => writePhh(hand, { section, own: { [`_${inCompetition ? 'competition' : 'season'}_id`]: poolId } });

/** A hand in the layout of PokerStars. */
export const starsText = (hand: ReplayHand, { kind }: Sight): string => writePokerStars(hand, { open: kind === 'all' });

function forms<H extends Stored, R extends object>({
  columns,
  of,
}: Records<H, R>): Readonly<Record<Format, FileForm<H>>> {
  const records = (batch: ExportBatch<H>) => batch.hands.map((hand) => of(hand, batch));
  return {
    csv: {
      contentType: 'text/csv; charset=utf-8',
      extension: 'csv',
      head: csvHead(columns),
      tail: '',
      write: (batch) => csvRecords(records(batch), columns),
    },
    json: {
      contentType: 'application/json',
      extension: 'json',
      head: LIST_HEAD,
      tail: LIST_END,
      write: (batch) => jsonRecords(records(batch), batch.written),
    },
    phh: {
      contentType: 'application/toml',
      extension: 'phhs',
      head: '',
      tail: '',
      write: (batch) =>
        seen(batch)
          .map(({ hand, stored }, n) =>
            phhText(hand, stored, { section: batch.written + n + 1, inCompetition: batch.inCompetition }),
          )
          .join(''),
    },
    pokerstars: {
      contentType: 'text/plain; charset=utf-8',
      extension: 'txt',
      head: '',
      tail: '',
      write: (batch) =>
        seen(batch)
          .map(({ hand }) => starsText(hand, batch.sight))
          .join(''),
    },
  };
}

/** The own hands of a player. */
export const FORMATS = forms({
  columns: PLAYER_COLUMNS,
  of: ({ row, stored }: Own, { names, inCompetition }) => exportedHand(row, stored, names, inCompetition),
});

/** Hands of a pool, of no player in particular. */
export const POOL_FORMATS = forms({
  columns: POOL_COLUMNS,
  of: ({ stored }: Stored, { names, sight }) => poolHandItem(stored, names, sight),
});

/** What a file is called by, and what stands around its hands, whoever sees them. */
export const frameOf = ({ kind }: Sight, format: Format): Omit<FileForm<never>, 'write'> =>
  (kind === 'player' ? FORMATS : POOL_FORMATS)[format];
