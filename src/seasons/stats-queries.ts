import type { Database, Queryable } from '../store/database.js';

/** An agent's results in one season. Chips are whole. */
export interface SeasonStatsRow {
  season_number: number;
  status: 'active' | 'ended';
  hands_played: number;
  hands_won: number;
  /** The sum of the profits above zero, and that of the losses without their sign. */
  chips_won: number;
  chips_lost: number;
  score: number;
  premium: boolean;
}

/** Every season of an agent, the latest first: a few rows by index, however many hands there are. */
export async function selectSeasonStats(sql: Queryable, agentId: string, penalty: number): Promise<SeasonStatsRow[]> {
  return sql<SeasonStatsRow[]>`
    select season_number, status, hands_played, hands_won, chips_won, chips_lost, premium,
      chip_balance + chips_at_table - rebuys * coalesce(s.rebuy_penalty, ${penalty})::bigint as score
    from entries e join seasons s on s.season_id = e.pool_id
    where e.agent_id = ${agentId} order by season_number desc`;
}

/** Hands of the window over which the win rate rolls. */
const WINDOW = 50;

/**
 * The two series of the chart as text of JSON arrays. It reads all hands of the agent in the season, perhaps 100,000.
 * So the database makes the text, and this process, which serves sockets, only passes it on.
 */
export async function selectChart(
  sql: Database,
  poolId: string,
  agentId: string,
): Promise<{ win_rates: string; profits: string }> {
  const [row] = await sql<{ win_rates: string; profits: string }[]>`
    with hand as materialized (
      select hand_id, stack_end - stack_start as profit, row_number() over in_order - 1 as hand_index,
        count(*) filter (where stack_end > stack_start) over (in_order rows ${WINDOW - 1}::integer preceding) as won
      from hand_players where pool_id = ${poolId} and agent_id = ${agentId}
      window in_order as (order by hand_id)),
    at_table as (
      select table_id, min(hand_index) as first, sum(profit) as profit
      from hand join hands on hands.pool_id = ${poolId} and hands.hand_id = hand.hand_id group by table_id),
    session as (
      select row_number() over (order by first) - 1 as session_index, table_id,
        sum(profit) over (order by first) as profit
      from at_table)
    select
      (select '[' || coalesce(string_agg('{"hand_index":' || hand_index || ',"win_rate":'
          || won::float8 / ${WINDOW}::integer || '}', ',' order by hand_index), '') || ']'
        from hand where hand_index >= ${WINDOW - 1}::integer) as win_rates,
      (select '[' || coalesce(string_agg('{"session_index":' || session_index || ',"table_id":"' || table_id
          || '","cumulative_profit":' || profit || '}', ',' order by session_index), '') || ']'
        from session) as profits`;
  if (row === undefined) throw new Error('a select returned no row');
  return row;
}
