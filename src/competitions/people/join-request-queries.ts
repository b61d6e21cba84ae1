import type { Queryable, Transaction } from '../../store/database.js';
import type { PageRequest } from '../page.js';
import type { CompetitionState, JoinRequestState } from '../states.js';

/** Requests to join. A writer holds the competition's row (competitions/guard.ts). */

export interface JoinRequestRow {
  competition_id: string;
  agent_id: string;
  /** The agent's own. */
  name: string;
  /** Null where the agent shows no profile. */
  slug: string | null;
  display_name: string | null;
  state: JoinRequestState;
  asked_at: Date;
  answered_at: Date | null;
}

const selected = (sql: Queryable) => sql`
  select r.competition_id, r.agent_id, a.name, case when a.banned_at is null then a.shown_slug end as slug,
    r.display_name, r.state, r.asked_at, r.answered_at
  from competition_join_requests r join agents a using (agent_id)`;

export async function selectJoinRequest(
  sql: Queryable,
  competitionId: string,
  agentId: string,
): Promise<JoinRequestRow | undefined> {
  const [row] = await sql<JoinRequestRow[]>`
    ${selected(sql)} where r.competition_id = ${competitionId} and r.agent_id = ${agentId}`;
  return row;
}

/** The oldest first; of some states, or of all (null). */
export async function selectJoinRequests(
  sql: Queryable,
  competitionId: string,
  states: readonly JoinRequestState[] | null,
  { limit, offset }: PageRequest,
): Promise<{ rows: JoinRequestRow[]; total: number }> {
  const some = states as JoinRequestState[] | null;
  const [rows, [counted]] = await Promise.all([
    sql<JoinRequestRow[]>`
      ${selected(sql)} where r.competition_id = ${competitionId} and r.state = any(coalesce(${some}::text[], array[r.state]))
      order by r.asked_at, r.agent_id limit ${limit} offset ${offset}`,
    sql<{ total: number }[]>`
      select count(*) as total from competition_join_requests
      where competition_id = ${competitionId} and state = any(coalesce(${some}::text[], array[state]))`,
  ]);
  return { rows, total: counted!.total };
}

/** An agent's own request, with its competition. */
export interface OwnJoinRequestRow extends Omit<JoinRequestRow, 'agent_id' | 'name' | 'slug'> {
  competition_slug: string;
  competition_name: string;
  competition_state: CompetitionState;
  enrollment_deadline: Date | null;
  starts_at: Date | null;
  ends_at: Date;
}

/** The newest first; of one competition, or of all (null). */
export async function selectOwnJoinRequests(
  sql: Queryable,
  agentId: string,
  slug: string | null,
  { limit, offset }: PageRequest,
): Promise<{ rows: OwnJoinRequestRow[]; total: number }> {
  const own = sql`
    from competition_join_requests r join competitions c using (competition_id)
    where r.agent_id = ${agentId} and (${slug}::text is null or c.slug = ${slug})`;
  const [rows, [counted]] = await Promise.all([
    sql<OwnJoinRequestRow[]>`
      select r.competition_id, r.display_name, r.state, r.asked_at, r.answered_at, c.slug as competition_slug,
        c.name as competition_name, c.state as competition_state, c.enrollment_deadline, c.starts_at, c.ends_at ${own}
      order by r.asked_at desc, r.competition_id limit ${limit} offset ${offset}`,
    sql<{ total: number }[]>`select count(*) as total ${own}`,
  ]);
  return { rows, total: counted!.total };
}

interface NewJoinRequest {
  competitionId: string;
  agentId: string;
  displayName: string | null;
  mailbox: string;
  now: Date;
}

/** The bot asks, for the first time or again. */
export async function upsertJoinRequest(
  tx: Transaction,
  { competitionId, agentId, displayName, mailbox, now }: NewJoinRequest,
): Promise<void> {
  await tx`
    insert into competition_join_requests (competition_id, agent_id, display_name, mailbox, asked_at)
    values (${competitionId}, ${agentId}, ${displayName}, ${mailbox}, ${now})
    on conflict (competition_id, agent_id) do update
    set state = 'open', display_name = excluded.display_name, mailbox = excluded.mailbox, asked_at = excluded.asked_at,
      answered_at = null`;
}

/** An open request gets its answer. False where it is not open. */
export async function settleJoinRequest(
  tx: Transaction,
  competitionId: string,
  agentId: string,
  { state, now }: { state: Exclude<JoinRequestState, 'open'>; now: Date },
): Promise<boolean> {
  const { count } = await tx`
    update competition_join_requests set state = ${state}, answered_at = ${now}
    where competition_id = ${competitionId} and agent_id = ${agentId} and state = 'open'`;
  return count === 1;
}

/**
 * The open requests of an owner in competitions that take people. Until the transaction ends, the owner cannot ask
 * elsewhere: of two requests at once the second counts the first.
 */
export async function countOfOwner(tx: Transaction, mailbox: string, now: Date): Promise<number> {
  await tx`select pg_advisory_xact_lock(hashtext('agent-poker join requests'), hashtext(${mailbox}))`;
  const [row] = await tx<{ open: number }[]>`
    select count(*) as open from competition_join_requests r join competitions c using (competition_id)
    where r.mailbox = ${mailbox} and r.state = 'open' and c.state = 'enrolling'
      and least(c.enrollment_deadline, c.starts_at, c.ends_at) > ${now}`;
  return row!.open;
}

/** The open requests of a competition by mail domain: how many, and the agent that asked first; the most first. */
export function selectOpenByDomain(
  tx: Transaction,
  competitionId: string,
): PromiseLike<{ domain: string; open: number; oldest: string }[]> {
  return tx<{ domain: string; open: number; oldest: string }[]>`
    select split_part(mailbox, '@', 2) as domain, count(*) as open,
      (array_agg(agent_id order by asked_at, agent_id))[1] as oldest
    from competition_join_requests where competition_id = ${competitionId} and state = 'open'
    group by 1 order by open desc, min(asked_at)`;
}

/** Whether another has a name of these forms in the competition. */
export async function isNameTaken(
  sql: Queryable,
  competitionId: string,
  agentId: string,
  keys: readonly string[],
): Promise<boolean> {
  const rows = await sql`
    select from competition_names where competition_id = ${competitionId} and agent_id <> ${agentId}
      and name_key = any(${keys as string[]}::text[]) limit 1`;
  return rows.length > 0;
}
