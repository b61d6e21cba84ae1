import type { Queryable } from '../../store/database.js';
import type { ParticipantState } from '../states.js';
import type { PageRequest } from '../page.js';

/** The participants, each with the entry of its chips. A writer holds the competition's row (competitions/guard.ts). */

export interface ParticipantRow {
  competition_id: string;
  agent_id: string;
  /** The agent's own. */
  name: string;
  display_name: string | null;
  state: ParticipantState;
  accepted_at: Date;
  changed_at: Date;
  reason: string | null;
  is_organizer: boolean;
  is_co_organizer: boolean;
}

const participant = (sql: Queryable) => sql`
  select p.competition_id, p.agent_id, a.name, p.display_name, p.state, p.accepted_at, p.changed_at, p.reason,
    p.agent_id = c.organizer_id as is_organizer,
    exists (select from competition_co_organizers o
      where o.competition_id = p.competition_id and o.agent_id = p.agent_id) as is_co_organizer
  from competition_participants p join competitions c using (competition_id) join agents a using (agent_id)`;

export async function selectParticipant(
  sql: Queryable,
  competitionId: string,
  agentId: string,
): Promise<ParticipantRow | undefined> {
  const [row] = await sql<ParticipantRow[]>`
    ${participant(sql)} where p.competition_id = ${competitionId} and p.agent_id = ${agentId}`;
  return row;
}

/** In the order of acceptance; of one state, or of all (null). */
export function selectParticipants(
  sql: Queryable,
  competitionId: string,
  state: ParticipantState | null,
  { limit, offset }: PageRequest,
): PromiseLike<ParticipantRow[]> {
  return sql<ParticipantRow[]>`
    ${participant(sql)} where p.competition_id = ${competitionId} and p.state = coalesce(${state}, p.state)
    order by p.accepted_at, p.agent_id limit ${limit} offset ${offset}`;
}

export async function countParticipantsListed(
  sql: Queryable,
  competitionId: string,
  state: ParticipantState | null,
): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from competition_participants
    where competition_id = ${competitionId} and state = coalesce(${state}, state)`;
  return row!.total;
}

/** An agent as an account. `verified`: its e-mail address is known to be its own. */
export interface Person {
  agentId: string;
  name: string;
  email: string;
  verified: boolean;
  banned: boolean;
  /** Null where the agent shows no profile. */
  slug: string | null;
}

export async function selectPerson(sql: Queryable, agentId: string): Promise<Person> {
  const [row] = await sql<Person[]>`
    select agent_id as "agentId", name, email, email_verified_at is not null as verified,
      banned_at is not null as banned, case when banned_at is null then shown_slug end as slug
    from agents where agent_id = ${agentId}`;
  return row!;
}

/** As above; and the agent keeps its name until the transaction is over. */
export async function lockPerson(tx: Queryable, agentId: string): Promise<Person> {
  await tx`select from agents where agent_id = ${agentId} for share`;
  return selectPerson(tx, agentId);
}

/** Takes forms of a name for an agent, but for those that somebody has: how many are the agent's now. */
export async function insertNames(
  sql: Queryable,
  competitionId: string,
  agentId: string,
  keys: readonly string[],
): Promise<number> {
  const [row] = await sql<{ own: number }[]>`
    with taken as (
      insert into competition_names (competition_id, name_key, agent_id)
      select ${competitionId}::uuid, key, ${agentId}::uuid from unnest(${keys as string[]}::text[]) as k (key)
      order by key on conflict (competition_id, name_key) do update set agent_id = competition_names.agent_id
      returning agent_id)
    select count(*) filter (where agent_id = ${agentId}) as own from taken`;
  return row!.own;
}

export async function deleteNames(sql: Queryable, competitionId: string, agentId: string): Promise<void> {
  await sql`delete from competition_names where competition_id = ${competitionId} and agent_id = ${agentId}`;
}

interface NamesRow {
  competitionId: string;
  agentId: string;
  name: string;
  displayName: string | null;
}

const names = (sql: Queryable) => sql`
  select p.competition_id as "competitionId", p.agent_id as "agentId", a.name, p.display_name as "displayName"
  from competition_participants p join agents a using (agent_id) join competitions c using (competition_id)
  where c.state not in ('results_pending', 'finalized', 'cancelled')`;

/** The agent's names in the competitions that are not over. */
export function selectNamesOf(sql: Queryable, agentId: string): PromiseLike<NamesRow[]> {
  return sql<NamesRow[]>`${names(sql)} and p.agent_id = ${agentId} order by p.competition_id`;
}

/** Participants without any form of a name kept, in the order of acceptance. */
export function selectNameless(sql: Queryable): PromiseLike<NamesRow[]> {
  return sql<NamesRow[]>`${names(sql)} and not exists (
      select from competition_names n where n.competition_id = p.competition_id and n.agent_id = p.agent_id)
    order by p.accepted_at, p.agent_id`;
}

/** Enrolls the agent, now or again; its chips are there already, or see `insertEntry`. */
export async function upsertParticipant(
  sql: Queryable,
  { competitionId, agentId, displayName, now }: NewParticipant,
): Promise<void> {
  await sql`
    insert into competition_participants (competition_id, agent_id, display_name, accepted_at, changed_at)
    values (${competitionId}, ${agentId}, ${displayName}, ${now}, ${now})
    on conflict (competition_id, agent_id) do update
    set state = 'enrolled', display_name = excluded.display_name, accepted_at = excluded.accepted_at,
      changed_at = excluded.changed_at, reason = null`;
}

export interface NewParticipant {
  competitionId: string;
  agentId: string;
  displayName: string | null;
  now: Date;
}

/** The entry with the starting chips and their ledger row, in one statement; nothing where there is one. */
export async function insertParticipantEntry(
  sql: Queryable,
  poolId: string,
  agentId: string,
  startingChips: number,
): Promise<void> {
  await sql`
    with e as (
      insert into entries (pool_id, agent_id, chip_balance) values (${poolId}, ${agentId}, ${startingChips})
      on conflict do nothing returning *
    )
    insert into chip_ledger (pool_id, agent_id, type, amount, balance_after)
    select pool_id, agent_id, 'grant', chip_balance, chip_balance from e`;
}

/** Gives a part another state; whoever leaves gets no rebuy any more. */
export async function updateParticipant(
  sql: Queryable,
  competitionId: string,
  agentId: string,
  { state, reason, now }: { state: ParticipantState; reason: string | null; now: Date },
): Promise<void> {
  await sql`
    with changed as (
      update competition_participants set state = ${state}, reason = ${reason}, changed_at = ${now}
      where competition_id = ${competitionId} and agent_id = ${agentId})
    update entries set rebuy_due_at = null
    where pool_id = ${competitionId} and agent_id = ${agentId} and rebuy_due_at is not null
      and ${state}::text <> 'enrolled'`;
}

/** Agents with a seat in a competition that is no longer theirs, or was theirs until so many seconds ago. */
export function selectOutsiders(
  sql: Queryable,
  seconds: number,
): PromiseLike<{ competition_id: string; agent_id: string }[]> {
  return sql<{ competition_id: string; agent_id: string }[]>`
    select p.competition_id, p.agent_id
    from competitions c join competition_participants p using (competition_id)
      join entries e on e.pool_id = p.competition_id and e.agent_id = p.agent_id
    where c.state not in ('finalized', 'cancelled') and p.state <> 'enrolled'
      and (e.table_id is not null or p.changed_at > now() - ${seconds} * interval '1 second')`;
}

/** The chips of an agent's entry, and what it did with them; undefined without one. */
export async function selectChips(
  sql: Queryable,
  competitionId: string,
  agentId: string,
): Promise<{ chip_balance: number; chips_at_table: number; rebuys: number; hands_played: number } | undefined> {
  const [row] = await sql<{ chip_balance: number; chips_at_table: number; rebuys: number; hands_played: number }[]>`
    select chip_balance, chips_at_table, rebuys, hands_played from entries
    where pool_id = ${competitionId} and agent_id = ${agentId}`;
  return row;
}
