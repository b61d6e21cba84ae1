import type { Database } from '../store/database.js';
import type { Badge } from './standings.js';

/** A row of a leaderboard that is frozen. */
export interface SeasonStandingRow {
  rank: number;
  bot_name: string;
  score: number;
  chip_balance: number;
  chips_at_table: number;
  rebuys: number;
  hands_played: number;
  hands_won: number;
  badge: Badge | null;
  prize_cents: number;
}

/** The frozen leaderboard of a season, best first; empty while it is active. */
export function selectStandings(
  sql: Database,
  seasonId: string,
  { limit, offset }: { limit: number; offset: number },
): PromiseLike<SeasonStandingRow[]> {
  return sql<SeasonStandingRow[]>`
    select rank, bot_name, score, chip_balance, chips_at_table, rebuys, hands_played, hands_won, badge, prize_cents
    from season_standings where season_id = ${seasonId} and rank > ${offset}::bigint order by rank limit ${limit}`;
}
