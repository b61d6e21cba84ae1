import type { Database } from '../store/database.js';
import type { PrizeStatus } from './prize-queries.js';
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
  /** Null without a prize. */
  prize_status: PrizeStatus | null;
  /** While it is held. */
  prize_held_until: Date | null;
}

/** The frozen leaderboard of a season, best first; empty while it is active. */
export function selectSeasonStandings(
  sql: Database,
  seasonId: string,
  { limit, offset }: { limit: number; offset: number },
): PromiseLike<SeasonStandingRow[]> {
  return sql<SeasonStandingRow[]>`
    select rank, bot_name, score, chip_balance, chips_at_table, rebuys, hands_played, hands_won, badge,
      s.prize_cents, p.status as prize_status, case when p.status = 'held' then held_until end as prize_held_until
    from season_standings s left join prizes p using (season_id, rank) where season_id = ${seasonId} and rank > ${offset}::bigint order by rank limit ${limit}`;
}
