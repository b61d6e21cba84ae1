import type { Queryable } from '../../store/database.js';
import { invitationColumns, type InvitationRow } from './invitation-queries.js';
import { seenColumns, type SeenRecord } from '../queries.js';
import type { PageRequest } from '../page.js';

/**
 * The agent's invitations, without tokens. They belong to the agent with that very address, once it has verified it,
 * and to the agent that has answered. Mail servers need not take two addresses that differ by a +tag for one mailbox.
 */
const own = (sql: Queryable, agentId: string) => sql`
  select i.invite_id from competition_invitations i join agents a on lower(a.email) = lower(i.email)
  where a.agent_id = ${agentId} and a.email_verified_at is not null
  union
  select invite_id from competition_invitations where agent_id = ${agentId}`;

/** Latest first. */
export async function selectOwnInvitations(
  sql: Queryable,
  agentId: string,
  { limit, offset }: PageRequest,
): Promise<{ rows: InvitationRow[]; total: number }> {
  const [rows, [counted]] = await Promise.all([
    sql<InvitationRow[]>`
      select ${invitationColumns(sql)} from competition_invitations where invite_id in (${own(sql, agentId)})
      order by created_at desc, invite_id limit ${limit} offset ${offset}`,
    sql<{ total: number }[]>`select count(*) as total from (${own(sql, agentId)}) o`,
  ]);
  return { rows, total: counted!.total };
}

/** Undefined where it is not the agent's, as if there were none. */
export async function selectOwnInvitation(
  sql: Queryable,
  agentId: string,
  inviteId: string,
): Promise<InvitationRow | undefined> {
  const [row] = await sql<InvitationRow[]>`
    select ${invitationColumns(sql)} from competition_invitations
    where invite_id = ${inviteId} and invite_id in (${own(sql, agentId)})`;
  return row;
}

/** A competition as one who is invited sees it. */
export interface InvitedTo extends SeenRecord {
  organizer_name: string;
}

export function selectInvitedTo(
  sql: Queryable,
  competitionIds: readonly string[],
  agentId: string,
): PromiseLike<InvitedTo[]> {
  return sql<InvitedTo[]>`
    select ${seenColumns(sql, agentId)}, (select name from agents a where a.agent_id = c.organizer_id) as organizer_name
    from competitions c where competition_id = any(${competitionIds as string[]}::uuid[])`;
}
