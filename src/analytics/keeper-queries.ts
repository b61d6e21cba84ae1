import type { Queryable, Transaction } from '../store/database.js';
import type { Curves } from './curve.js';
import { COUNTERS, FRACTIONS, MAXIMA, POSITION_COUNTERS, STARTING_HAND_COUNTERS } from './totals.js';
import type { PositionTotals, StartingHandTotals, CounterTotals } from './totals.js';

/** SQL of the analytics thread: what is not counted yet, and the counting. */

/** Sums of results less luck, by the names of their columns. */
export type LuckSums = Pick<CounterTotals, 'luck_hands' | 'luck_millionths' | 'luck_bb_squares'>;

/** Where the counting of an agent's hands stands. */
export interface CountedSoFar {
  agentId: string;
  handsPlayed: number;
  unmatched: number;
  hands: number;
  /** An older release has counted some of them, without their stakes: all are to be counted again. */
  stale: boolean;
  /** All hands up to this one are counted. */
  lastHandId: string;
  profit: number;
  /** Results less luck so far. */
  luck: LuckSums;
  adjustedBb: number;
  curves: Curves | null;
  /** Whether it has a row in `analytics`. */
  known: boolean;
}

const standing = (sql: Queryable, poolId: string) => sql`
  select e.agent_id as "agentId", e.hands_played as "handsPlayed", coalesce(a.unmatched, 0) as unmatched,
    coalesce(a.hands, 0) as hands, coalesce(a.profit, 0) as profit,
    json_build_object('luck_hands', coalesce(a.luck_hands, 0), 'luck_millionths', coalesce(a.luck_millionths, 0),
      'luck_bb_squares', coalesce(a.luck_bb_squares, 0)) as luck,
    coalesce(a.staked_hands <> a.hands, false) as stale, a.agent_id is not null as known,
    coalesce(a.adjusted_bb, 0) as "adjustedBb", case when c.step is not null then json_build_object('step', c.step,
      'points', c.points, 'adjusted', c.adjusted, 'luck_step', c.luck_step, 'luck_points', c.luck_points) end as curves,
    coalesce(a.last_hand_id, '00000000-0000-0000-0000-000000000000') as "lastHandId"
  from entries e left join analytics a using (pool_id, agent_id) left join analytics_curves c using (pool_id, agent_id)
  where e.pool_id = ${poolId}`;

export async function selectCounted(
  sql: Queryable,
  poolId: string,
  agentId: string,
): Promise<CountedSoFar | undefined> {
  const [row] = await sql<CountedSoFar[]>`${standing(sql, poolId)} and e.agent_id = ${agentId}`;
  return row;
}

/** Guests with uncounted hands, those with the most first. Guests with hands to be counted again come last. */
export function selectBehind(
  sql: Queryable,
  poolId: string,
  { except, limit }: { except: readonly string[]; limit: number },
): PromiseLike<CountedSoFar[]> {
  return sql<CountedSoFar[]>`
    ${standing(sql, poolId)} and (e.hands_played <> coalesce(a.hands + a.unmatched, 0) or a.staked_hands <> a.hands)
      and not exists (select from agents g where g.agent_id = e.agent_id and g.is_house)
      and e.agent_id <> all(${except as string[]}::uuid[])
    order by stale, e.hands_played - coalesce(a.hands + a.unmatched, 0) desc limit ${limit}`;
}

/** Pools in which hands are played. */
export async function selectPoolsInPlay(sql: Queryable): Promise<string[]> {
  const rows = await sql<{ poolId: string }[]>`
    select distinct pool_id as "poolId" from tables where status = 'open'`;
  return rows.map(({ poolId }) => poolId);
}

export async function selectAllPools(sql: Queryable): Promise<string[]> {
  const rows = await sql<{ poolId: string }[]>`select pool_id as "poolId" from pools`;
  return rows.map(({ poolId }) => poolId);
}

export interface HandOf {
  agentId: string;
  handId: string;
}

/** The next hands of each agent, so many at most, in order. */
export function selectNextHands(
  sql: Queryable,
  poolId: string,
  agents: readonly Pick<CountedSoFar, 'agentId' | 'lastHandId'>[],
  each: number,
): PromiseLike<HandOf[]> {
  return sql<HandOf[]>`
    select s.agent_id as "agentId", p.hand_id as "handId"
    from unnest(${agents.map(({ agentId }) => agentId)}::uuid[], ${agents.map(({ lastHandId }) => lastHandId)}::uuid[])
      as s (agent_id, last_hand_id)
    cross join lateral (
      select hand_id from hand_players p
      where p.pool_id = ${poolId} and p.agent_id = s.agent_id and p.hand_id > s.last_hand_id
      order by p.hand_id limit ${each}) p
    order by s.agent_id, p.hand_id`;
}

export function selectRecords(
  sql: Queryable,
  poolId: string,
  handIds: readonly string[],
): PromiseLike<{ handId: string; record: Buffer }[]> {
  return sql<{ handId: string; record: Buffer }[]>`
    select hand_id as "handId", record from hands
    where pool_id = ${poolId} and hand_id = any(${handIds as string[]}::uuid[])`;
}

/** Hands of an agent to be added to what it has. */
export interface CountedHands {
  agentId: string;
  /** The last counted hand. If it has changed meanwhile, nothing is added. */
  lastHandId: string;
  hands: number;
  to: string;
  totals: CounterTotals;
  /** The sums at the last multiple of 100 hands with measured luck, if these hands reach one. */
  shown: LuckSums | null;
  positions: (PositionTotals & { position: number })[];
  startingHands: (StartingHandTotals & { place: number })[];
  curves: Curves;
}

export async function insertUnknown(sql: Queryable, poolId: string, agents: readonly CountedSoFar[]): Promise<void> {
  const ids = agents.filter(({ known }) => !known).map(({ agentId }) => agentId);
  if (ids.length === 0) return;
  await sql`
    insert into analytics (pool_id, agent_id) select ${poolId}::uuid, id from unnest(${ids}::uuid[]) id
    on conflict do nothing`;
}

const typed = (names: readonly string[]) =>
  names.map((name) => `${name} ${FRACTIONS.has(name) ? 'float8' : 'bigint'}`).join(', ');
const summed = (names: readonly string[], old: string, more: string) =>
  names
    .map((name) => {
      const both = [`${old}.${name}`, `${more}.${name}`];
      return `${name} = ${MAXIMA.has(name) ? `greatest(${both.join(', ')})` : both.join(' + ')}`;
    })
    .join(', ');

/**
 * Adds hands, all of an agent's or none: the watermark moves in the same statement, and only from where it was. So a
 * hand counts once, whatever dies or runs twice.
 */
export async function addHands(sql: Queryable, poolId: string, steps: readonly CountedHands[]): Promise<void> {
  const totals = steps.map(({ agentId, lastHandId, hands, to, totals, shown, curves }) => ({
    agent_id: agentId,
    since: lastHandId,
    since_hands: hands,
    last_hand_id: to,
    ...curves,
    shown_hands: shown?.luck_hands,
    shown_millionths: shown?.luck_millionths,
    shown_squares: shown?.luck_bb_squares,
    ...totals,
  }));
  const positions = steps.flatMap(({ agentId, positions }) => positions.map((p) => ({ agent_id: agentId, ...p })));
  const places = steps.flatMap(({ agentId, startingHands }) => startingHands.map((p) => ({ agent_id: agentId, ...p })));
  await sql`
    with step as materialized (
      select * from json_to_recordset(${JSON.stringify(totals)}::text::json) as s (agent_id uuid, since uuid,
        since_hands integer, last_hand_id uuid, step integer, points bigint[], adjusted float8[],
        luck_step integer, luck_points float8[], shown_hands integer, shown_millionths bigint,
        shown_squares float8, ${sql.unsafe(typed(COUNTERS))})),
    moved as (
      update analytics a set last_hand_id = s.last_hand_id, ${sql.unsafe(summed(COUNTERS, 'a', 's'))},
        luck_shown_hands = coalesce(s.shown_hands, a.luck_shown_hands),
        luck_shown_millionths = coalesce(s.shown_millionths, a.luck_shown_millionths),
        luck_shown_squares = coalesce(s.shown_squares, a.luck_shown_squares)
      from step s
      where a.pool_id = ${poolId} and a.agent_id = s.agent_id and a.last_hand_id = s.since and a.hands = s.since_hands
      returning a.pool_id, a.agent_id, s.step, s.points, s.adjusted, s.luck_step, s.luck_points),
    by_position as (
      insert into analytics_positions as p (pool_id, agent_id, position, ${sql(POSITION_COUNTERS)})
      select pool_id, agent_id, position, ${sql(POSITION_COUNTERS)}
      from json_to_recordset(${JSON.stringify(positions)}::text::json)
        as s (agent_id uuid, position smallint, ${sql.unsafe(typed(POSITION_COUNTERS))})
      join moved using (agent_id)
      on conflict (pool_id, agent_id, position) do update
      set ${sql.unsafe(summed(POSITION_COUNTERS, 'p', 'excluded'))}),
    by_starting_hand as (
      insert into analytics_starting_hands as h (pool_id, agent_id, place, ${sql(STARTING_HAND_COUNTERS)})
      select pool_id, agent_id, place, ${sql(STARTING_HAND_COUNTERS)}
      from json_to_recordset(${JSON.stringify(places)}::text::json)
        as s (agent_id uuid, place smallint, ${sql.unsafe(typed(STARTING_HAND_COUNTERS))})
      join moved using (agent_id)
      on conflict (pool_id, agent_id, place) do update
      set ${sql.unsafe(summed(STARTING_HAND_COUNTERS, 'h', 'excluded'))})
    insert into analytics_curves as c (pool_id, agent_id, step, points, adjusted, luck_step, luck_points)
    select pool_id, agent_id, step, points, adjusted, luck_step, luck_points from moved
    on conflict (pool_id, agent_id) do update set step = excluded.step, points = excluded.points,
      adjusted = excluded.adjusted, luck_step = excluded.luck_step, luck_points = excluded.luck_points
    where c.step <> excluded.step or cardinality(c.points) <> cardinality(excluded.points)`;
}

/** How many hands of the agent are stored, and how many of them up to the watermark, beside what was counted. */
export async function selectCensus(tx: Transaction, poolId: string, agentId: string) {
  await tx`select from analytics where pool_id = ${poolId} and agent_id = ${agentId} for update`;
  const [row] = await tx<{ handsPlayed: number; hands: number; stored: number; upTo: number }[]>`
    select e.hands_played as "handsPlayed", a.hands, c.stored, c.up_to as "upTo"
    from entries e join analytics a using (pool_id, agent_id),
      lateral (select count(*) as stored, count(*) filter (where hand_id <= a.last_hand_id) as up_to
        from hand_players where pool_id = ${poolId} and agent_id = ${agentId}) c
    where e.pool_id = ${poolId} and e.agent_id = ${agentId}`;
  return row;
}

export async function updateUnmatched(tx: Transaction, poolId: string, agentId: string, hands: number): Promise<void> {
  await tx`update analytics set unmatched = ${hands} where pool_id = ${poolId} and agent_id = ${agentId}`;
}

/** Forgets what was counted of these agents, where it is without stakes. */
export async function deleteStale(tx: Transaction, poolId: string, agentIds: readonly string[]): Promise<void> {
  const stale = await tx<{ agentId: string }[]>`
    select agent_id as "agentId" from analytics
    where pool_id = ${poolId} and agent_id = any(${agentIds as string[]}::uuid[]) and staked_hands <> hands
    order by agent_id for update`;
  for (const { agentId } of stale) await deleteCounts(tx, poolId, agentId);
}

/** Forgets what was counted of an agent. */
export async function deleteCounts(tx: Transaction, poolId: string, agentId: string): Promise<void> {
  for (const table of [
    'analytics',
    'analytics_positions',
    'analytics_starting_hands',
    'analytics_curves',
    'pair_play',
    'rating_totals',
    'rating_pairs',
  ]) {
    await tx`delete from ${tx(table)} where pool_id = ${poolId} and agent_id = ${agentId}`;
  }
}
