import { MAX_CO_ORGANIZERS } from '../../protocol/rest/co-organizers.js';
import type { Queryable } from '../../store/database.js';

/** Co-organizers. A writer holds the competition's row (competitions/guard.ts). */

export interface CoOrganizerRow {
  competition_id: string;
  agent_id: string;
  name: string;
  added_at: Date;
}

/** How somebody names an agent. */
export type NamedAgent = { agentId: string } | { name: string };

/** Undefined where there is none such. */
export async function selectNamedAgent(
  sql: Queryable,
  named: NamedAgent,
): Promise<{ agent_id: string; name: string; banned: boolean } | undefined> {
  const is = 'name' in named ? sql`lower(name) = lower(${named.name})` : sql`agent_id = ${named.agentId}`;
  const [row] = await sql<{ agent_id: string; name: string; banned: boolean }[]>`
    select agent_id, name, banned_at is not null as banned from agents where ${is}`;
  return row;
}

export function selectCoOrganizers(sql: Queryable, competitionId: string): PromiseLike<CoOrganizerRow[]> {
  return sql<CoOrganizerRow[]>`
    select o.competition_id, o.agent_id, a.name, o.added_at
    from competition_co_organizers o join agents a using (agent_id)
    where o.competition_id = ${competitionId} order by o.added_at, o.agent_id`;
}

/** Takes a free place for the agent: `full` where there is none, `twice` where it has one. */
export async function insertCoOrganizer(
  tx: Queryable,
  competitionId: string,
  agentId: string,
  now: Date,
): Promise<'added' | 'full' | 'twice'> {
  const taken = await tx<{ agent_id: string }[]>`
    select agent_id from competition_co_organizers where competition_id = ${competitionId}`;
  if (taken.some(({ agent_id: id }) => id === agentId)) return 'twice';
  const rows = await tx`
    insert into competition_co_organizers (competition_id, agent_id, place, added_at)
    select ${competitionId}, ${agentId}, min(place), ${now} from generate_series(1, ${MAX_CO_ORGANIZERS}) place
    where place not in (select place from competition_co_organizers where competition_id = ${competitionId})
    having count(*) > 0 returning 1`;
  return rows.length === 1 ? 'added' : 'full';
}

/** The row that was there; undefined for who was none. */
export async function deleteCoOrganizer(
  tx: Queryable,
  competitionId: string,
  agentId: string,
): Promise<CoOrganizerRow | undefined> {
  const [row] = await tx<CoOrganizerRow[]>`
    delete from competition_co_organizers o using agents a
    where o.competition_id = ${competitionId} and o.agent_id = ${agentId} and a.agent_id = o.agent_id
    returning o.competition_id, o.agent_id, a.name, o.added_at`;
  return row;
}
