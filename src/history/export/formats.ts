import { PLAYER_COLUMNS, POOL_COLUMNS, CARD_COLUMNS } from '../../formats/records/columns.js';
import type { ReplayHand } from '../../formats/hand.js';
import { writePhh } from '../../formats/phh/write.js';
import { writePokerStars } from '../../formats/pokerstars/write.js';
import { Hand } from '../../holdem/hand.js';
import type { StoredHand } from '../../table/record/record-codec.js';
import type { HandRow } from '../queries.js';
import { isOpened, type Sight, shownToAll } from '../sight.js';
import { poolHandItem } from '../pool-hands.js';
import { seenBy } from './seen.js';
import { stringify } from 'csv-stringify/sync';
import { cardNames, historyItem, namesOf } from '../item.js';

/**
 * The record of GET /me/hand-history, with the other facts that the agent may know of the hand. It has no card that the
 * agent did not see.
 */
function exportedHand({ row, stored: hand }: Own, { names, inCompetition, sight }: ExportBatch<Own>) {
  const cardsOf = (players: StoredHand['players']) =>
    Object.fromEntries(players.map(({ seat, hole }) => [String(seat), cardNames(hole)]));
  return {
    ...historyItem(row, hand),
    ...namesOf(hand.poolId, inCompetition),
    button: hand.button,
    total_pot: hand.totalPot,
    shown_cards: cardsOf(shownToAll(hand)),
    opened_cards: cardsOf(hand.players.filter((player) => isOpened(sight, player))),
    players: hand.players.map(({ seat, agentId, stackStart, stackEnd }) => ({
      seat,
      name: names.get(agentId) ?? `seat_${seat}`,
      stack_start: stackStart,
      stack_end: stackEnd,
    })),
  };
}

/** Our records of hands as texts: JSON and CSV. */

export const LIST_HEAD = '{"hands":[';
export const LIST_END = '\n]}\n';

/** Records of a list in JSON; `written` are in the file before them. */
export const jsonRecords = (records: readonly unknown[], written: number): string =>
  records.map((record, n) => `${written + n > 0 ? ',' : ''}\n${JSON.stringify(record)}`).join('');

export const csvHead = (columns: readonly string[]): string => stringify([columns]);

/** Rows of CSV: cards in one word, lists and maps as JSON. */
const csvRecords = <R extends object>(records: readonly R[], columns: readonly (keyof R & string)[]): string =>
  stringify(records.map((record) => columns.map((column) => cellOf(column, record[column]))));

function cellOf(column: string, value: unknown): string | number {
  if (value === null) return '';
  if (typeof value === 'string' || typeof value === 'number') return value;
  return CARD_COLUMNS.has(column) && Array.isArray(value) ? value.join('') : JSON.stringify(value);
}

export type Format = 'csv' | 'json' | 'phh' | 'pokerstars';

export interface Stored {
  stored: StoredHand;
}

/** A hand with its player's result. */
interface Own extends Stored {
  row: HandRow;
}

/** Visible hands, the names of their players by agent id, and the number of hands written before. */
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
export const starsText = (hand: ReplayHand, sight: Sight): string =>
  writePokerStars(hand, { open: sight.kind === 'all' || sight.opened === true });

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
  of: exportedHand,
});

/** Hands of a pool, for no particular player. */
export const POOL_FORMATS = forms({
  columns: POOL_COLUMNS,
  of: ({ stored }: Stored, { names, sight }) => poolHandItem(stored, names, sight),
});

/** A file's name and the text around its hands, for any reader. */
export const frameOf = ({ kind }: Sight, format: Format): Omit<FileForm<never>, 'write'> =>
  (kind === 'player' ? FORMATS : POOL_FORMATS)[format];
