import type { LISTED } from '../../protocol/rest/competition-index.js';
import type { Database, Queryable } from '../../store/database.js';
import type { PageRequest } from '../page.js';
import type { CompetitionRecord } from '../record.js';

/** The public list of competitions, by the partial indexes of sql/210_competition_index.sql. */

export type ListedStatus = (typeof LISTED)[number];

type Columns =
  | 'competition_id'
  | 'slug'
  | 'state'
  | 'name'
  | 'organization_name'
  | 'participant_cap'
  | 'join_requests'
  | 'enrollment_deadline'
  | 'starts_at'
  | 'ends_at'
  | 'started_at'
  | 'ended_at'
  | 'finalized_at'
  | 'duplicate';

export interface ListedRow extends Pick<CompetitionRecord, Columns> {
  organizer_name: string;
  organizer_slug: string | null;
  participant_count: number;
}

/** The conditions and orders of the partial indexes, to the letter. */
const states = (sql: Queryable) => ({
  running: sql`c.state in ('enrollment_closed', 'active', 'paused', 'ending')`,
  open: sql`c.state = 'enrolling'`,
  finished: sql`c.state in ('results_pending', 'finalized')`,
});
const orders = (sql: Queryable) => ({
  running: sql`c.started_at desc nulls last, c.competition_id`,
  open: sql`least(c.enrollment_deadline, c.starts_at, c.ends_at), c.competition_id`,
  finished: sql`c.ended_at desc nulls last, c.competition_id`,
});

/** An organizer who closes the play to spectators keeps the competition out of the list, while bots may not ask to join. */
const isListed = (sql: Queryable) => sql`(c.spectators = 'public' or (c.join_requests and c.state = 'enrolling'))`;

/** `search` in lower case, without a special character; null: all. */
const matches = (sql: Queryable, search: string | null) =>
  search === null
    ? sql``
    : sql`and (strpos(lower(c.name), ${search}) > 0 or strpos(lower(c.organization_name), ${search}) > 0
        or strpos(lower(a.name), ${search}) > 0)`;

export function selectListed(
  sql: Database,
  { status, search, limit, offset }: { status: ListedStatus; search: string | null } & PageRequest,
): PromiseLike<ListedRow[]> {
  return sql<ListedRow[]>`
    select c.competition_id, c.slug, c.state, c.name, c.organization_name, c.participant_cap, c.join_requests,
      c.enrollment_deadline, c.starts_at, c.ends_at, c.started_at, c.ended_at, c.finalized_at, c.duplicate,
      a.name as organizer_name, case when a.banned_at is null then a.shown_slug end as organizer_slug,
      (select count(*) from competition_participants p
        where p.competition_id = c.competition_id and p.state = 'enrolled') as participant_count
    from competitions c join agents a on a.agent_id = c.organizer_id
    where ${states(sql)[status]} and ${isListed(sql)} ${matches(sql, search)}
    order by ${orders(sql)[status]} limit ${limit} offset ${offset}`;
}

/** How many match the search, by status. */
export async function countListed(sql: Database, search: string | null): Promise<Record<ListedStatus, number>> {
  const { running, open, finished } = states(sql);
  const [row] = await sql<Record<ListedStatus, number>[]>`
    select count(*) filter (where ${running}) as running, count(*) filter (where ${open}) as open,
      count(*) filter (where ${finished}) as finished
    from competitions c ${search === null ? sql`` : sql`join agents a on a.agent_id = c.organizer_id`}
    where c.state not in ('draft', 'cancelled') and ${isListed(sql)} ${matches(sql, search)}`;
  return row!;
}

export interface PodiumRow {
  competition_id: string;
  rank: number;
  name: string;
  slug: string | null;
  score: number;
}

/** The first three of each of these competitions, by the standings that were taken down. */
export function selectPodiums(sql: Database, competitionIds: readonly string[]): PromiseLike<PodiumRow[]> {
  return sql<PodiumRow[]>`
    select p.competition_id, p.final_rank as rank, coalesce(p.final_name, p.display_name, a.name) as name,
      case when a.banned_at is null then a.shown_slug end as slug, p.final_score as score
    from competition_participants p join agents a using (agent_id)
    where p.competition_id = any(${competitionIds as string[]}::uuid[]) and p.final_rank <= 3
    order by p.competition_id, p.final_rank`;
}
