import type { Queryable } from '../../store/database.js';
import type { HandRow, Whose } from '../queries.js';
import type { PlayedSeat } from './filter.js';

/** The agent's parts of its hands, from this hand down, the newest first: the primary key of `hand_players` alone. */
export function selectPlayed(
  sql: Queryable,
  { poolId, agentId }: Whose,
  from: string,
  limit: number,
): PromiseLike<(PlayedSeat & { handId: string })[]> {
  return sql<(PlayedSeat & { handId: string })[]>`
    select hand_id as "handId", seat, stack_start as "stackStart", stack_end as "stackEnd" from hand_players
    where pool_id = ${poolId} and agent_id = ${agentId} and hand_id <= ${from}
    order by hand_id desc limit ${limit}`;
}

/** Records of hands of a pool by their ids. */
export async function selectRecordsOf(
  sql: Queryable,
  poolId: string,
  handIds: readonly string[],
): Promise<Map<string, Buffer>> {
  const rows = await sql<{ handId: string; record: Buffer }[]>`
    select hand_id as "handId", record from hands
    where pool_id = ${poolId} and hand_id = any(${handIds as string[]}::uuid[])`;
  return new Map(rows.map(({ handId, record }) => [handId, record]));
}

/** Hands of the agent in one pool by their ids. */
export async function selectHandsById(
  sql: Queryable,
  { poolId, agentId }: Whose,
  handIds: readonly string[],
): Promise<Map<string, HandRow>> {
  const rows = await sql<HandRow[]>`
    select p.hand_id as "handId", h.table_id as "tableId", h.hand_number as "handNumber", h.started_at as "startedAt",
      h.ended_at as "endedAt", p.seat, p.stack_start as "stackStart", p.stack_end as "stackEnd", h.record
    from hand_players p join hands h on h.pool_id = ${poolId} and h.hand_id = p.hand_id
    where p.pool_id = ${poolId} and p.agent_id = ${agentId} and p.hand_id = any(${handIds as string[]}::uuid[])`;
  return new Map(rows.map((row) => [row.handId, row]));
}

/**
 * The agent that others know by a name or by the slug of its profile; null for none. In a competition its
 * participants, by the names that they have there.
 */
export async function selectAgentNamed(
  sql: Queryable,
  name: string,
  competitionId: string | undefined,
): Promise<string | null> {
  const [row] =
    competitionId === undefined
      ? await sql<{ agentId: string }[]>`
          select agent_id as "agentId" from agents
          where lower(name) = lower(${name}) or (public_profile_slug = ${name} and public_profile)
          order by lower(name) = lower(${name}) desc limit 1`
      : await sql<{ agentId: string }[]>`
          select a.agent_id as "agentId"
          from competition_participants p join agents a using (agent_id)
          where p.competition_id = ${competitionId}
            and (lower(coalesce(p.display_name, a.name)) = lower(${name}) or a.shown_slug = ${name})
          order by lower(coalesce(p.display_name, a.name)) = lower(${name}) desc limit 1`;
  return row?.agentId ?? null;
}
