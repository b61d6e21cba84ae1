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
  /** All that match, on all pages. */
  matching: number;
}

/** The agents with the text in id, name or e-mail address, the newest first. */
export function selectAgents(
  sql: Queryable,
  { search, banned, limit, offset }: { search: string; banned: boolean; limit: number; offset: number },
): PromiseLike<AgentLine[]> {
  return sql<AgentLine[]>`
    select agent_id, name, email, is_house, is_platform, email_verified_at is not null as email_verified, banned_at,
      banned_reason, created_at, count(*) over () as matching
    from agents
    where (strpos(lower(name), lower(${search})) > 0 or strpos(lower(email), lower(${search})) > 0
        or strpos(agent_id::text, lower(${search})) > 0)
      and (not ${banned}::boolean or banned_at is not null)
    order by created_at desc, agent_id limit ${limit} offset ${offset}`;
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
  action: string;
  subject: string | null;
  detail: Record<string, unknown>;
}

/** The latest entries of the audit log, the newest first. */
export function selectLog(sql: Queryable, limit: number): PromiseLike<LogLine[]> {
  return sql<LogLine[]>`
    select entry_id, at, actor, action, subject, detail from audit_log order by entry_id desc limit ${limit}`;
}

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
