import type { Queryable } from '../store/database.js';
import type { PoolCards } from './sight.js';

/** A season or a competition that an agent took part in. */
export interface PoolPart {
  poolId: string;
  /** Hands of the agent in it: they are numbered from 1 to this. */
  hands: number;
}

/** Such a competition. */
export interface CompetitionPart extends PoolPart, PoolCards {}

/** Such a season. */
export interface SeasonPart extends PoolPart {
  status: 'active' | 'ended';
  startDate: Date;
  premium: boolean;
}

/** The player of the hands, and the season. */
export interface Whose {
  poolId: string;
  agentId: string;
}

export interface HandRow {
  handId: string;
  tableId: string;
  handNumber: number;
  startedAt: Date;
  endedAt: Date;
  seat: number;
  stackStart: number;
  stackEnd: number;
  /** See table/record/record-codec.ts. */
  record: Buffer;
}

/** Below every id. */
export const LOWEST = '00000000-0000-0000-0000-000000000000';

/** The seasons of an agent, the newest first. */
export function selectSeasonsOf(sql: Queryable, agentId: string): PromiseLike<SeasonPart[]> {
  return sql<SeasonPart[]>`
    select e.pool_id as "poolId", s.status, s.start_date as "startDate", e.hands_played as hands, e.premium
    from entries e join seasons s on s.season_id = e.pool_id
    where e.agent_id = ${agentId} order by s.season_number desc`;
}

/** Undefined where the agent never took part in it. */
export async function selectCompetitionOf(
  sql: Queryable,
  agentId: string,
  competitionId: string,
): Promise<CompetitionPart | undefined> {
  const [row] = await sql<CompetitionPart[]>`
    select e.pool_id as "poolId", e.hands_played as hands, c.open_cards as "openCards", c.duplicate, c.state
    from entries e join competitions c on c.competition_id = e.pool_id
    where e.agent_id = ${agentId} and e.pool_id = ${competitionId}`;
  return row;
}

export async function seasonExists(sql: Queryable, seasonId: string): Promise<boolean> {
  const [row] = await sql`select from seasons where season_id = ${seasonId}`;
  return row !== undefined;
}

/** How many hands of the agent have a lower id. */
export async function countBelow(sql: Queryable, { poolId, agentId }: Whose, handId: string): Promise<number> {
  const [row] = await sql<{ below: number }[]>`
    with mark as (
      select nth, hand_id from hand_marks
      where pool_id = ${poolId} and agent_id = ${agentId} and hand_id < ${handId} order by hand_id desc limit 1)
    select coalesce((select nth from mark), 0) + (
      select count(*) from hand_players
      where pool_id = ${poolId} and agent_id = ${agentId} and hand_id < ${handId}
        and hand_id > coalesce((select hand_id from mark), ${LOWEST})) as below`;
  return row!.below;
}

/** The id of the agent's nth hand in the season, the first being 1; null where it has none so far. */
export async function selectNth(sql: Queryable, { poolId, agentId }: Whose, nth: number): Promise<string | null> {
  const [row] = await sql<{ handId: string }[]>`
    with mark as (
      select nth, hand_id from hand_marks
      where pool_id = ${poolId} and agent_id = ${agentId} and nth <= ${nth}::bigint order by nth desc limit 1)
    select hand_id as "handId" from hand_players
    where pool_id = ${poolId} and agent_id = ${agentId} and hand_id >= coalesce((select hand_id from mark), ${LOWEST})
    order by hand_id offset ${nth}::bigint - coalesce((select nth from mark), 1) limit 1`;
  return row?.handId ?? null;
}

/** Hands of the agent from this one down, the newest first. */
export function selectHands(
  sql: Queryable,
  { poolId, agentId }: Whose,
  from: string,
  limit: number,
): PromiseLike<HandRow[]> {
  return sql<HandRow[]>`
    select p.hand_id as "handId", h.table_id as "tableId", h.hand_number as "handNumber", h.started_at as "startedAt",
      h.ended_at as "endedAt", p.seat, p.stack_start as "stackStart", p.stack_end as "stackEnd", h.record
    from (
      select hand_id, seat, stack_start, stack_end from hand_players
      where pool_id = ${poolId} and agent_id = ${agentId} and hand_id <= ${from}
      order by hand_id desc limit ${limit}) p
    join hands h on h.pool_id = ${poolId} and h.hand_id = p.hand_id
    order by p.hand_id desc`;
}

export interface PoolHandRow {
  handId: string;
  record: Buffer;
}

/** The newest hand of a pool below an id; null where there is none. */
export async function selectNewest(sql: Queryable, poolId: string, below: string): Promise<string | null> {
  const [row] = await sql<{ handId: string }[]>`
    select hand_id as "handId" from hands where pool_id = ${poolId} and hand_id < ${below}
    order by hand_id desc limit 1`;
  return row?.handId ?? null;
}

/** Hands of a pool from this one down, the newest first, and no further down than `downTo`. */
export function selectPoolHands(
  sql: Queryable,
  { poolId, from, downTo }: { poolId: string; from: string; downTo: string },
  limit: number,
): PromiseLike<PoolHandRow[]> {
  return sql<PoolHandRow[]>`
    select hand_id as "handId", record from hands
    where pool_id = ${poolId} and hand_id <= ${from} and hand_id >= ${downTo}
    order by hand_id desc limit ${limit}`;
}

/** The record of one hand of a pool; null where there is none. */
export async function selectPoolHand(sql: Queryable, poolId: string, handId: string): Promise<Buffer | null> {
  const [row] = await sql<{ record: Buffer }[]>`
    select record from hands where pool_id = ${poolId} and hand_id = ${handId}`;
  return row?.record ?? null;
}

/** The record of one hand that the agent was dealt into, and the agent's seat in it. */
export async function selectHandOf(
  sql: Queryable,
  agentId: string,
  handId: string,
): Promise<{ seat: number; record: Buffer; competition: PoolCards | null } | null> {
  // By the agent's pools: their partitions have the index.
  const [row] = await sql<{ seat: number; record: Buffer; competition: PoolCards | null }[]>`
    select p.seat, h.record, case when c.competition_id is null then null else json_build_object(
      'openCards', c.open_cards, 'duplicate', c.duplicate, 'state', c.state) end as competition
    from entries e
    join hand_players p on p.pool_id = e.pool_id and p.agent_id = e.agent_id and p.hand_id = ${handId}
    join hands h on h.pool_id = e.pool_id and h.hand_id = p.hand_id
    left join competitions c on c.competition_id = e.pool_id
    where e.agent_id = ${agentId}`;
  return row ?? null;
}

export interface LedgerRow {
  entry_id: number;
  pool_id: string;
  type: string;
  amount: number;
  balance_after: number;
  table_id: string | null;
  hand_id: string | null;
  created_at: Date;
}

/** The movements of an agent's chips in a competition, or in all seasons, the newest first. */
export function selectLedger(
  sql: Queryable,
  agentId: string,
  competitionId: string | undefined,
  { limit, offset }: { limit: number; offset: number },
): PromiseLike<LedgerRow[]> {
  const pools = competitionId === undefined ? sql`select season_id from seasons` : sql`select ${competitionId}::uuid`;
  return sql<LedgerRow[]>`
    select l.entry_id, l.pool_id, l.type, l.amount, l.balance_after, l.table_id, l.hand_id, l.created_at
    from (
      select entry_id from chip_ledger
      where agent_id = ${agentId} and pool_id in (${pools})
      order by entry_id desc limit ${limit} offset ${offset}) page
    join chip_ledger l using (entry_id)
    order by entry_id desc`;
}

/** Names of agents by id. */
export async function selectNames(sql: Queryable, agentIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql<{ agentId: string; name: string }[]>`
    select agent_id as "agentId", name from agents where agent_id = any (${agentIds as string[]}::uuid[])`;
  return new Map(rows.map(({ agentId, name }) => [agentId, name]));
}

/** A player of a hand as the others know it. */
export interface ListedPlayer {
  agentId: string;
  name: string;
  slug: string | null;
}

/** By agent id, under the names that agents have in the pool. */
export async function selectDealt(
  sql: Queryable,
  poolId: string,
  agentIds: readonly string[],
): Promise<Map<string, ListedPlayer>> {
  const rows = await sql<ListedPlayer[]>`
    select a.agent_id as "agentId", coalesce(p.display_name, a.name) as name, a.shown_slug as slug
    from agents a
    left join competition_participants p on p.competition_id = ${poolId} and p.agent_id = a.agent_id
    where a.agent_id = any(${agentIds as string[]}::uuid[])`;
  return new Map(rows.map((row) => [row.agentId, row]));
}
