import type { Queryable } from '../store/database.js';

/** A season that an agent took part in. */
export interface SeasonPart {
  poolId: string;
  status: 'active' | 'ended';
  startDate: Date;
  /** Hands of the agent in it: they are numbered from 1 to this. */
  hands: number;
  premium: boolean;
}

/** Whose hands, and in which season. */
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
  /** See table/record-codec.ts. */
  record: Buffer;
}

/** Below every id. */
const NONE = '00000000-0000-0000-0000-000000000000';

/** The seasons of an agent, the newest first. */
export function selectSeasonsOf(sql: Queryable, agentId: string): PromiseLike<SeasonPart[]> {
  return sql<SeasonPart[]>`
    select e.pool_id as "poolId", s.status, s.start_date as "startDate", e.hands_played as hands, e.premium
    from entries e join seasons s on s.season_id = e.pool_id
    where e.agent_id = ${agentId} order by s.season_number desc`;
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
        and hand_id > coalesce((select hand_id from mark), ${NONE})) as below`;
  return row!.below;
}

/** The id of the agent's nth hand in the season, the first being 1; null where it has none so far. */
export async function selectNth(sql: Queryable, { poolId, agentId }: Whose, nth: number): Promise<string | null> {
  const [row] = await sql<{ handId: string }[]>`
    with mark as (
      select nth, hand_id from hand_marks
      where pool_id = ${poolId} and agent_id = ${agentId} and nth <= ${nth}::bigint order by nth desc limit 1)
    select hand_id as "handId" from hand_players
    where pool_id = ${poolId} and agent_id = ${agentId} and hand_id >= coalesce((select hand_id from mark), ${NONE})
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

/** The record of one hand that the agent was dealt into, and the agent's seat in it. */
export async function selectHandOf(
  sql: Queryable,
  agentId: string,
  handId: string,
): Promise<{ seat: number; record: Buffer } | null> {
  // By the agent's pools, whose partitions have the index.
  const [row] = await sql<{ seat: number; record: Buffer }[]>`
    select p.seat, h.record
    from entries e
    join hand_players p on p.pool_id = e.pool_id and p.agent_id = e.agent_id and p.hand_id = ${handId}
    join hands h on h.pool_id = e.pool_id and h.hand_id = p.hand_id
    where e.agent_id = ${agentId}`;
  return row ?? null;
}

export interface LedgerRow {
  entry_id: number;
  season_id: string;
  type: string;
  amount: number;
  balance_after: number;
  table_id: string | null;
  hand_id: string | null;
  created_at: Date;
}

/** The movements of an agent's chips in seasons, the newest first. */
export function selectLedger(
  sql: Queryable,
  agentId: string,
  { limit, offset }: { limit: number; offset: number },
): PromiseLike<LedgerRow[]> {
  return sql<LedgerRow[]>`
    select l.entry_id, l.pool_id as season_id, l.type, l.amount, l.balance_after, l.table_id, l.hand_id, l.created_at
    from (
      select entry_id from chip_ledger
      where agent_id = ${agentId} and pool_id in (select season_id from seasons)
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
