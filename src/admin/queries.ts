import type { Queryable } from '../store/database.js';

/** The administrators' queries and changes. Each change is one guarded statement. */

/** Channel on which a running server hears that something here has changed. */
export const CHANNEL = 'agent_poker_admin';

export interface AgentLine {
  agent_id: string;
  name: string;
  email: string;
  is_house: boolean;
  is_platform: boolean;
  email_verified: boolean;
  banned_at: Date | null;
  banned_reason: string | null;
  created_at: Date;
  /** Stored hands in all pools. */
  hands: number;
  last_hand_at: Date | null;
  /** All that match, on all pages. */
  matching: number;
}

/** The agents with the text in id, name or e-mail address, the newest first. */
export function selectAgents(
  sql: Queryable,
  { search, banned, limit, offset }: { search: string; banned: boolean; limit: number; offset: number },
): PromiseLike<AgentLine[]> {
  return sql<AgentLine[]>`
    with page as materialized (
      select agent_id, name, email, is_house, is_platform, email_verified_at is not null as email_verified, banned_at,
        banned_reason, created_at, count(*) over () as matching
      from agents
      where (strpos(lower(name), lower(${search})) > 0 or strpos(lower(email), lower(${search})) > 0
          or strpos(agent_id::text, lower(${search})) > 0)
        and (not ${banned}::boolean or banned_at is not null)
      order by created_at desc, agent_id limit ${limit} offset ${offset})
    select page.*, played.hands, played.last_hand_at
    from page cross join lateral (
      select coalesce(sum(e.hands_played), 0)::bigint as hands, max(newest.ended_at) as last_hand_at
      from entries e left join lateral (
        select h.ended_at from hand_players p join hands h on h.pool_id = p.pool_id and h.hand_id = p.hand_id
        where p.pool_id = e.pool_id and p.agent_id = e.agent_id order by p.hand_id desc limit 1) newest on true
      where e.agent_id = page.agent_id) played
    order by page.created_at desc, page.agent_id`;
}

/** An agent as a command names it. */
export type CalledAgent = Pick<AgentLine, 'agent_id' | 'name' | 'is_house'>;

/** The one agent of this id, name or e-mail address. */
export async function selectAgentCalled(sql: Queryable, called: string): Promise<CalledAgent | undefined> {
  const [row] = await sql<CalledAgent[]>`
    select agent_id, name, is_house from agents
    where agent_id::text = lower(${called}) or lower(name) = lower(${called}) or lower(email) = lower(${called})
    order by (agent_id::text = lower(${called})) desc, (lower(name) = lower(${called})) desc limit 1`;
  return row;
}

export interface PlatformAgent {
  agentId: string;
  name: string;
  email: string;
  keyHash: Buffer;
}

/** Rejects with a unique violation where the name or the address is taken. */
export async function insertPlatformAgent(sql: Queryable, agent: PlatformAgent): Promise<void> {
  await sql`
    insert into agents (agent_id, email, name, key_hash, is_platform, email_verified_at, terms_accepted_at)
    values (${agent.agentId}, ${agent.email}, ${agent.name}, ${agent.keyHash}, true, now(), now())`;
}

/** False where it was verified before. */
export async function markEmailVerified(sql: Queryable, agentId: string): Promise<boolean> {
  const { count } = await sql`
    update agents set email_verified_at = now() where agent_id = ${agentId} and email_verified_at is null`;
  return count === 1;
}

/** False where it was banned before; that reason stays. */
export async function ban(sql: Queryable, agentId: string, reason: string): Promise<boolean> {
  const { count } = await sql`
    update agents set banned_at = now(), banned_reason = ${reason} where agent_id = ${agentId} and banned_at is null`;
  return count === 1;
}

/** False where it was not banned. */
export async function unban(sql: Queryable, agentId: string): Promise<boolean> {
  const { count } = await sql`
    update agents set banned_at = null, banned_reason = null where agent_id = ${agentId} and banned_at is not null`;
  return count === 1;
}

/** Another key; a running server ends what the old one opened. */
export async function resetKey(sql: Queryable, agentId: string, keyHash: Buffer): Promise<void> {
  await sql`update agents set key_hash = ${keyHash}, key_reset_at = now() where agent_id = ${agentId}`;
}

export interface AdminSeasonRow {
  season_id: string;
  season_number: number;
  end_date: Date;
}

export async function selectSeasonForAdmin(sql: Queryable): Promise<AdminSeasonRow | undefined> {
  const [row] = await sql<AdminSeasonRow[]>`
    select season_id, season_number, end_date from seasons where status = 'active'`;
  return row;
}

/** Sets the end of the active season to so many seconds from now; undefined where it would end before that anyway. */
export async function endSeasonIn(
  sql: Queryable,
  number: number,
  seconds: number,
): Promise<AdminSeasonRow | undefined> {
  const [row] = await sql<AdminSeasonRow[]>`
    update seasons
    set end_date = greatest(now() + ${seconds} * interval '1 second', start_date + interval '1 millisecond')
    where season_number = ${number} and status = 'active' and end_date > now() + ${seconds} * interval '1 second'
    returning season_id, season_number, end_date`;
  return row;
}

/** Wakes the server that runs on the database, once the transaction is committed. */
export async function wakeServer(sql: Queryable): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, '')`;
}

export interface LogLine {
  entry_id: number;
  at: Date;
  actor: string;
  /** Null where the actor is no agent. */
  actor_name: string | null;
  action: string;
  subject: string | null;
  /** Null where the subject is neither an agent nor a competition. */
  subject_name: string | null;
  detail: Record<string, unknown>;
}

/** Which entries of the audit log are wanted. Times are epoch ms. */
export interface LogFilter {
  /** A part of the action, or of the id or name of actor or subject; '' for all. */
  search: string;
  from: number | undefined;
  to: number | undefined;
  /** Entries below this number. */
  before: number | undefined;
  limit: number;
}

/** The latest entries of the audit log, the newest first. */
export function selectLog(sql: Queryable, { search, from, to, before, limit }: LogFilter): PromiseLike<LogLine[]> {
  const text = search.toLowerCase().replaceAll('_', ' ');
  const has = (column: string) => sql`strpos(replace(lower(${sql(column)}), '_', ' '), ${text}) > 0`;
  const searched =
    text === ''
      ? sql`true`
      : sql`(${has('action')} or ${has('actor')} or ${has('subject')}
          or actor in (select id from named) or subject in (select id from named))`;
  return sql<LogLine[]>`
    with named as materialized (
      select agent_id::text as id from agents where ${text} <> '' and ${has('name')}
      union all select competition_id::text from competitions where ${text} <> '' and ${has('name')}),
    page as materialized (
      select entry_id, at, actor, action, subject, detail,
        case when actor ~ ${UUID} then actor::uuid end as actor_id,
        case when subject ~ ${UUID} then subject::uuid end as subject_id
      from audit_log
      where entry_id < ${before ?? Number.MAX_SAFE_INTEGER}::bigint
        and at >= to_timestamp(${(from ?? 0) / 1000}::float8) and ${to === undefined ? sql`true` : sql`at < to_timestamp(${(to + 1) / 1000}::float8)`}
        and ${searched}
      order by entry_id desc limit ${limit})
    select page.entry_id, page.at, page.actor, a.name as actor_name, page.action, page.subject,
      coalesce(s.name, c.name) as subject_name, page.detail
    from page
    left join agents a on a.agent_id = page.actor_id
    left join agents s on s.agent_id = page.subject_id
    left join competitions c on c.competition_id = page.subject_id
    order by page.entry_id desc`;
}

/** The form of a uuid. */
const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

/** An agent with an ended key, and the time of its end. */
export interface Expelled {
  agent_id: string;
  at: Date;
}

/** Agents banned, or given another key, after a time. */
export function selectExpelledSince(sql: Queryable, since: Date): PromiseLike<Expelled[]> {
  return sql<Expelled[]>`
    select agent_id, banned_at as at from agents where banned_at > ${since}
    union all select agent_id, key_reset_at from agents where key_reset_at > ${since}`;
}

/** The time by the database's clock. */
export async function selectNow(sql: Queryable): Promise<Date> {
  const [row] = await sql<{ now: Date }[]>`select now()`;
  if (row === undefined) throw new Error('a select without from returned no row');
  return row.now;
}

export interface LogStorageRow {
  hands: number;
  bytes: number;
  newest: Date | null;
}

/**
 * The number of stored hands by their numbers at their tables (skipped decks of duplicates too), their size, and the
 * end of the newest.
 */
export async function selectLogStorage(sql: Queryable): Promise<LogStorageRow> {
  const [row] = await sql<LogStorageRow[]>`
    select (select coalesce(sum(hand_number), 0)::bigint from tables) as hands,
      (select coalesce(sum(pg_total_relation_size(inhrelid)), 0)::bigint from pg_inherits
        where inhparent in ('hands'::regclass, 'hand_players'::regclass)) as bytes,
      (select max(newest.ended_at) from (select season_id from seasons order by season_number desc limit 2) s
        cross join lateral (
          select ended_at from hands where pool_id = s.season_id order by hand_id desc limit 1) newest) as newest`;
  if (row === undefined) throw new Error('a select without from returned no row');
  return row;
}
