import type { Queryable } from '../../store/database.js';
import type { ParticipantState } from '../states.js';
import type { PageRequest } from '../page.js';

/** Invitations of one person each, and links for whoever has them. The tables hold only hashes of the tokens. */

export interface InvitationRow {
  invite_id: string;
  competition_id: string;
  email: string;
  state: 'pending' | 'accepted' | 'declined' | 'revoked';
  version: number;
  sends: number;
  expires_at: Date;
  created_at: Date;
  sent_at: Date;
  answered_at: Date | null;
  agent_id: string | null;
}

export interface LinkRow {
  link_id: string;
  competition_id: string;
  max_uses: number;
  uses: number;
  expires_at: Date;
  revoked_at: Date | null;
  created_at: Date;
}

export const invitationColumns = (sql: Queryable) => sql`
  invite_id, competition_id, email, state, version, sends, expires_at, created_at, sent_at, answered_at, agent_id`;
const link = (sql: Queryable) => sql`
  link_id, competition_id, max_uses, uses, expires_at, revoked_at, created_at`;

/** The addresses, in lower case, of present and former participants, each with its state. */
export async function selectAddressesInside(
  sql: Queryable,
  competitionId: string,
  emails: readonly string[],
): Promise<Map<string, ParticipantState>> {
  const rows = await sql<{ email: string; state: ParticipantState }[]>`
    select lower(a.email) as email, p.state
    from agents a join competition_participants p using (agent_id)
    where p.competition_id = ${competitionId} and lower(a.email) = any(${emails as string[]}::text[])`;
  return new Map(rows.map(({ email, state }) => [email, state]));
}

/** The addresses, in lower case, that have an invitation they may still accept. */
export async function selectAddressesInvited(
  sql: Queryable,
  competitionId: string,
  emails: readonly string[],
  now: Date,
): Promise<Set<string>> {
  const rows = await sql<{ email: string }[]>`
    select lower(email) as email from competition_invitations
    where competition_id = ${competitionId} and state = 'pending' and expires_at > ${now}
      and lower(email) = any(${emails as string[]}::text[])`;
  return new Set(rows.map(({ email }) => email));
}

/** Makes room for a new invitation where the old one has run out. */
export async function revokeExpired(
  sql: Queryable,
  competitionId: string,
  emails: readonly string[],
  now: Date,
): Promise<void> {
  await sql`
    update competition_invitations set state = 'revoked', version = version + 1
    where competition_id = ${competitionId} and state = 'pending' and expires_at <= ${now}
      and lower(email) = any(${emails as string[]}::text[])`;
}

export interface NewInvitation {
  inviteId: string;
  email: string;
  tokenHash: Buffer;
}

export async function insertInvitations(
  sql: Queryable,
  { competitionId, now, expiresAt }: { competitionId: string; now: Date; expiresAt: Date },
  invitations: readonly NewInvitation[],
): Promise<InvitationRow[]> {
  const column = <T>(of: (invitation: NewInvitation) => T) => invitations.map(of);
  return sql<InvitationRow[]>`
    insert into competition_invitations (competition_id, invite_id, email, token_hash, expires_at, created_at, sent_at)
    select ${competitionId}::uuid, i.id, i.email, decode(i.hash, 'hex'), ${expiresAt}, ${now}, ${now}
    from unnest(${column(({ inviteId }) => inviteId)}::uuid[], ${column(({ email }) => email)}::text[],
      ${column(({ tokenHash }) => tokenHash.toString('hex'))}::text[]) as i (id, email, hash)
    returning ${invitationColumns(sql)}`;
}

/** Latest first. */
export function selectInvitations(
  sql: Queryable,
  competitionId: string,
  { limit, offset }: PageRequest,
): PromiseLike<InvitationRow[]> {
  return sql<InvitationRow[]>`
    select ${invitationColumns(sql)} from competition_invitations where competition_id = ${competitionId}
    order by created_at desc, invite_id limit ${limit} offset ${offset}`;
}

export async function countInvitations(sql: Queryable, competitionId: string): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from competition_invitations where competition_id = ${competitionId}`;
  return row!.total;
}

export async function selectInvitation(
  sql: Queryable,
  competitionId: string,
  inviteId: string,
): Promise<InvitationRow | undefined> {
  const [row] = await sql<InvitationRow[]>`
    select ${invitationColumns(sql)} from competition_invitations
    where competition_id = ${competitionId} and invite_id = ${inviteId}`;
  return row;
}

/** Sent once more, with another token: the one before is good for nothing. */
export async function updateSent(
  sql: Queryable,
  inviteId: string,
  { tokenHash, now, expiresAt }: { tokenHash: Buffer; now: Date; expiresAt: Date },
): Promise<InvitationRow> {
  const [row] = await sql<InvitationRow[]>`
    update competition_invitations set token_hash = ${tokenHash}, sends = sends + 1, sent_at = ${now},
      expires_at = ${expiresAt}, version = version + 1
    where invite_id = ${inviteId} and state = 'pending' returning ${invitationColumns(sql)}`;
  return row!;
}

/** A pending invitation is answered by an agent, or revoked (by null). Undefined where it is pending no more. */
export async function updateAnswered(
  sql: Queryable,
  inviteId: string,
  { state, agentId, now }: { state: 'accepted' | 'declined' | 'revoked'; agentId: string | null; now: Date },
): Promise<InvitationRow | undefined> {
  const [row] = await sql<InvitationRow[]>`
    update competition_invitations set state = ${state}, agent_id = ${agentId}, answered_at = ${now},
      version = version + 1
    where invite_id = ${inviteId} and state = 'pending' returning ${invitationColumns(sql)}`;
  return row;
}

export async function insertInviteLink(
  sql: Queryable,
  { competitionId, linkId, tokenHash, maxUses, expiresAt, now }: NewInviteLinkRow,
): Promise<LinkRow> {
  const [row] = await sql<LinkRow[]>`
    insert into competition_links (link_id, competition_id, token_hash, max_uses, expires_at, created_at)
    values (${linkId}, ${competitionId}, ${tokenHash}, ${maxUses}, ${expiresAt}, ${now}) returning ${link(sql)}`;
  return row!;
}

export interface NewInviteLinkRow {
  competitionId: string;
  linkId: string;
  tokenHash: Buffer;
  maxUses: number;
  expiresAt: Date;
  now: Date;
}

/** Latest first. */
export function selectLinks(
  sql: Queryable,
  competitionId: string,
  { limit, offset }: PageRequest,
): PromiseLike<LinkRow[]> {
  return sql<LinkRow[]>`
    select ${link(sql)} from competition_links where competition_id = ${competitionId}
    order by created_at desc, link_id limit ${limit} offset ${offset}`;
}

/** All, and those that are good for something still. */
export async function countLinks(
  sql: Queryable,
  competitionId: string,
  now: Date,
): Promise<{ total: number; open: number }> {
  const [row] = await sql<{ total: number; open: number }[]>`
    select count(*) as total,
      count(*) filter (where revoked_at is null and expires_at > ${now} and uses < max_uses) as open
    from competition_links where competition_id = ${competitionId}`;
  return row!;
}

export async function selectLink(sql: Queryable, competitionId: string, linkId: string): Promise<LinkRow | undefined> {
  const [row] = await sql<LinkRow[]>`
    select ${link(sql)} from competition_links where competition_id = ${competitionId} and link_id = ${linkId}`;
  return row;
}

export async function updateLinkRevoked(sql: Queryable, linkId: string, now: Date): Promise<LinkRow | undefined> {
  const [row] = await sql<LinkRow[]>`
    update competition_links set revoked_at = ${now} where link_id = ${linkId} and revoked_at is null
    returning ${link(sql)}`;
  return row;
}

/** Takes one of the link's uses; undefined where none is left, or its time is over. */
export async function useInviteLink(sql: Queryable, linkId: string, now: Date): Promise<LinkRow | undefined> {
  const [row] = await sql<LinkRow[]>`
    update competition_links set uses = uses + 1
    where link_id = ${linkId} and uses < max_uses and revoked_at is null and expires_at > ${now}
    returning ${link(sql)}`;
  return row;
}

/** The invitation or link of a token. */
export type OpenedInvitation = { invitation: InvitationRow; link?: never } | { link: LinkRow; invitation?: never };

/** Undefined for a token that was never given out, or was replaced. */
export async function selectByToken(sql: Queryable, tokenHash: Buffer): Promise<OpenedInvitation | undefined> {
  const [invited] = await sql<InvitationRow[]>`
    select ${invitationColumns(sql)} from competition_invitations where token_hash = ${tokenHash}`;
  if (invited !== undefined) return { invitation: invited };
  const [linked] = await sql<LinkRow[]>`select ${link(sql)} from competition_links where token_hash = ${tokenHash}`;
  return linked && { link: linked };
}
