import { stringify } from 'csv-stringify/sync';
import { share } from '../../analytics/index.js';
import { utc } from '../../protocol/common.js';
import type { Database } from '../../store/database.js';
import { duplicateNote, type DuplicateScores, type DuplicateScore } from './duplicate.js';
import type { SeenRecord } from '../queries.js';
import type { CompetitionRecord } from '../record.js';
import { standings, type CompetitionStanding } from './standings.js';
import type { PageRequest } from '../page.js';

/** A line of standings or results. */
export const lineBody = (row: CompetitionStanding, duplicate: DuplicateScore | undefined) => ({
  rank: row.rank,
  name: row.name,
  public_profile_slug: row.slug,
  status: row.state,
  score: row.score,
  chip_balance: row.chip_balance,
  chips_at_table: row.chips_at_table,
  rebuys: row.rebuys,
  rebuy_penalty: row.rebuy_penalty,
  hands_played: row.hands_played,
  hands_won: row.hands_won,
  win_rate: share(row.hands_won, row.hands_played),
  ...row.estimates,
  all_in_adj_bb_per_100: row.estimates.bb_per_100_all_in_adjusted,
  ci95: row.estimates.bb_per_100_all_in_adjusted_ci95,
  duplicate:
    duplicate === undefined
      ? null
      : { ...duplicate, bb_per_100: duplicate.bb_per_100_duplicate, ci95: duplicate.bb_per_100_duplicate_ci95 },
});

/** The standings of competitions as the wire has them. */
export class Boards {
  constructor(
    private readonly sql: Database,
    private readonly duplicates: DuplicateScores,
  ) {}

  async standings(record: SeenRecord, page: PageRequest) {
    const [{ rows, total, ranked }, scores] = await this.#read(record, page);
    return {
      competition_id: record.competition_id,
      status: record.state,
      minimum_hands: record.minimum_hands,
      total,
      ranked,
      duplicate_note: duplicateNote(record),
      rows: rows.map((row) => ({ agent_id: row.agent_id, ...lineBody(row, scores.get(row.agent_id)) })),
      ...page,
    };
  }

  async results(record: SeenRecord, page: PageRequest) {
    const { ended_at: ended, finalized_at: finalized } = record;
    return {
      ...(await this.standings(record, page)),
      final: record.state === 'finalized',
      ended_at: ended && utc(ended),
      finalized_at: finalized && utc(finalized),
    };
  }

  /** For those who have no part in it: nobody's id. */
  async publicLines(record: SeenRecord, page: PageRequest) {
    const [{ rows, total, ranked }, scores] = await this.#read(record, page);
    const lines = rows.map((row) => lineBody(row, scores.get(row.agent_id)));
    return { total, ranked, duplicate_note: duplicateNote(record), rows: lines, ...page };
  }

  /** All results, a portion at a time. */
  async *csv(record: CompetitionRecord): AsyncGenerator<Uint8Array> {
    yield bytes([COLUMNS]);
    for (let offset = 0; ; offset += PORTION) {
      const [{ rows, total }, scores] = await this.#read(record, { limit: PORTION, offset });
      if (rows.length > 0) yield bytes(rows.map((row) => cells(row, scores.get(row.agent_id))));
      if (offset + PORTION >= total) return;
    }
  }

  #read(record: CompetitionRecord, page: PageRequest) {
    return Promise.all([standings(this.sql, record.competition_id, page), this.duplicates.of(record)]);
  }
}

/** Lines of a file that are read and written at once. */
const PORTION = 500;

const COLUMNS = [
  ...['rank', 'name', 'agent_id', 'status', 'score', 'chip_balance', 'rebuys', 'rebuy_penalty', 'hands_played'],
  ...['hands_won', 'bb_per_100', 'all_in_adj_bb_per_100', 'all_in_adj_bb_per_100_ci95_low'],
  ...['all_in_adj_bb_per_100_ci95_high', 'duplicate_hands', 'duplicate_bb_per_100'],
  ...['duplicate_bb_per_100_ci95_low', 'duplicate_bb_per_100_ci95_high', 'duplicate_uncompared'],
  // Columns are only added, at the end: readers may count them.
  ...['hands_counted', 'bb_per_100_ci95_low', 'bb_per_100_ci95_high'],
  ...['hands_luck_adjusted', 'bb_per_100_luck_adjusted', 'bb_per_100_luck_adjusted_ci95_low'],
  'bb_per_100_luck_adjusted_ci95_high',
];

const cells = ({ estimates, ...row }: CompetitionStanding, duplicate: DuplicateScore | undefined) => [
  ...[row.rank, text(row.name), row.agent_id, row.state, row.score, row.chip_balance, row.rebuys, row.rebuy_penalty],
  ...[row.hands_played, row.hands_won, estimates.bb_per_100, estimates.bb_per_100_all_in_adjusted],
  ...ends(estimates.bb_per_100_all_in_adjusted_ci95),
  ...[duplicate?.hands, duplicate?.bb_per_100_duplicate, ...ends(duplicate?.bb_per_100_duplicate_ci95)],
  ...[duplicate?.uncompared, estimates.hands_counted, ...ends(estimates.bb_per_100_ci95)],
  ...[estimates.hands_luck_adjusted, estimates.bb_per_100_luck_adjusted],
  ...ends(estimates.bb_per_100_luck_adjusted_ci95),
];

const ends = (interval: readonly [low: number, high: number] | null | undefined) => interval ?? [null, null];

/** The user's text in a form that no spreadsheet takes for a formula. */
const text = (value: string) => (/^[=+\-@\t\r]/.test(value) ? `'${value}` : value);

const bytes = (rows: unknown[][]) => new TextEncoder().encode(stringify(rows));
