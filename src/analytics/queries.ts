import type { Queryable } from '../store/database.js';
import type { Curves } from './curve.js';
import { ESTIMATE_COUNTERS, estimatesOf, type EstimateRow, type Estimates } from './figures.js';
import { COUNTERS, LUCK_SHOWN, POSITION_COUNTERS, STARTING_HAND_COUNTERS } from './totals.js';
import type { PositionTotals, StartingHandTotals, CounterTotals } from './totals.js';

/** The source of an answer. */
export interface AnalyticsRow extends CounterTotals, Record<(typeof LUCK_SHOWN)[number], number> {
  premium: boolean;
  rebuys: number;
  /** Hands of the entry, counted here or not yet. */
  hands_played: number;
  unmatched: number;
  last_hand_id: string;
  positions: (PositionTotals & { position: number })[];
  starting_hands: (StartingHandTotals & { place: number })[];
  curves: Curves | null;
}

/** Everything that is known of an agent in a pool, as of one moment; undefined without an entry. */
export async function selectAnalytics(
  sql: Queryable,
  poolId: string,
  agentId: string,
): Promise<AnalyticsRow | undefined> {
  const own = sql`pool_id = ${poolId} and agent_id = ${agentId}`;
  const [row] = await sql<AnalyticsRow[]>`
    select e.premium, e.rebuys, e.hands_played, coalesce(a.unmatched, 0) as unmatched,
      coalesce(a.last_hand_id, '00000000-0000-0000-0000-000000000000') as last_hand_id,
      ${sql.unsafe([...COUNTERS, ...LUCK_SHOWN].map((name) => `coalesce(a.${name}, 0) as ${name}`).join(', '))},
      (select coalesce(json_agg(p), '[]') from (
        select position, ${sql(POSITION_COUNTERS)} from analytics_positions where ${own}) p) as positions,
      (select coalesce(json_agg(h), '[]') from (
        select place, ${sql(STARTING_HAND_COUNTERS)} from analytics_starting_hands where ${own}) h) as starting_hands,
      (select to_json(c) from (
        select step, points, adjusted, luck_step, luck_points from analytics_curves where ${own}) c) as curves
    from entries e left join analytics a using (pool_id, agent_id)
    where e.pool_id = ${poolId} and e.agent_id = ${agentId}`;
  return row;
}

export interface RecentHandRow {
  hand_id: string;
  profit: number;
  started_at: Date;
  seat: number;
  record: Buffer;
}

/** The newest hands of the agent up to one of them, the newest first. */
export function selectRecentHands(
  sql: Queryable,
  { poolId, agentId, until, limit }: { poolId: string; agentId: string; until: string; limit: number },
): PromiseLike<RecentHandRow[]> {
  return sql<RecentHandRow[]>`
    select p.hand_id, p.stack_end - p.stack_start as profit, h.started_at, p.seat, h.record
    from (
      select hand_id, seat, stack_start, stack_end from hand_players
      where pool_id = ${poolId} and agent_id = ${agentId} and hand_id <= ${until}
      order by hand_id desc limit ${limit}) p
    join hands h on h.pool_id = ${poolId} and h.hand_id = p.hand_id
    order by p.hand_id desc`;
}

/** How well agents of a pool play, as far as their hands are counted; those without a counted hand are missing. */
export async function selectEstimates(
  sql: Queryable,
  poolId: string,
  agentIds: readonly string[],
): Promise<Map<string, Estimates>> {
  const rows = await sql<({ agent_id: string } & EstimateRow)[]>`
    select agent_id, ${sql(ESTIMATE_COUNTERS)} from analytics
    where pool_id = ${poolId} and agent_id = any(${agentIds as string[]}::uuid[]) and hands > 0`;
  return new Map(rows.map((row) => [row.agent_id, estimatesOf(row)]));
}

/** Ids of the newest hands of the agent, so many at most. */
export async function selectNewestHands(
  sql: Queryable,
  poolId: string,
  agentId: string,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ handId: string }[]>`
    select hand_id as "handId" from hand_players
    where pool_id = ${poolId} and agent_id = ${agentId} order by hand_id desc limit ${limit}`;
  return rows.map(({ handId }) => handId);
}

/** An agent's public data for its opponents. */
export interface OpponentFace {
  agentId: string;
  name: string;
  slug: string | null;
  isHouse: boolean;
}

export async function selectOpponentFaces(
  sql: Queryable,
  agentIds: readonly string[],
): Promise<Map<string, OpponentFace>> {
  const rows = await sql<OpponentFace[]>`
    select agent_id as "agentId", name, shown_slug as slug, is_house as "isHouse" from agents
    where agent_id = any(${agentIds as string[]}::uuid[])`;
  return new Map(rows.map((row) => [row.agentId, row]));
}
