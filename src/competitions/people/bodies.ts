import { utc } from '../../protocol/common.js';
import type { InvitationRow, LinkRow } from './invitation-queries.js';
import type { ParticipantRow } from './participant-queries.js';

/** Rows as the wire has them. */

const maybe = (time: Date | null) => (time === null ? null : utc(time));

export type InvitationStatus = InvitationRow['state'] | 'expired';

export const invitationStatus = ({ state, expires_at }: InvitationRow, now: Date): InvitationStatus =>
  state === 'pending' && expires_at <= now ? 'expired' : state;

export const invitationBody = (row: InvitationRow, now: Date) => ({
  invite_id: row.invite_id,
  competition_id: row.competition_id,
  email: row.email,
  status: invitationStatus(row, now),
  version: row.version,
  sends: row.sends,
  expires_at: utc(row.expires_at),
  created_at: utc(row.created_at),
  sent_at: utc(row.sent_at),
});

export const listedInvitationBody = (row: InvitationRow, now: Date) => ({
  ...invitationBody(row, now),
  answered_at: maybe(row.answered_at),
  agent_id: row.agent_id,
});

export type LinkStatus = 'open' | 'used_up' | 'revoked' | 'expired';

export function linkStatus({ revoked_at, expires_at, uses, max_uses }: LinkRow, now: Date): LinkStatus {
  if (revoked_at !== null) return 'revoked';
  if (uses >= max_uses) return 'used_up';
  return expires_at <= now ? 'expired' : 'open';
}

export const linkBody = (row: LinkRow, now: Date) => ({
  link_id: row.link_id,
  competition_id: row.competition_id,
  status: linkStatus(row, now),
  max_uses: row.max_uses,
  uses: row.uses,
  expires_at: utc(row.expires_at),
  created_at: utc(row.created_at),
});

export const listedLinkBody = (row: LinkRow, now: Date) => ({
  ...linkBody(row, now),
  revoked_at: maybe(row.revoked_at),
});

export const participationBody = (row: ParticipantRow) => ({
  competition_id: row.competition_id,
  agent_id: row.agent_id,
  name: row.name,
  display_name: row.display_name,
  status: row.state,
  is_organizer: row.is_organizer,
  is_co_organizer: row.is_co_organizer,
  accepted_at: utc(row.accepted_at),
  changed_at: utc(row.changed_at),
});

/** `reader` sees why it was removed itself; who organizes sees all. */
export const participantBody = (row: ParticipantRow, reader: { agentId: string; isOrganizer: boolean }) => ({
  ...participationBody(row),
  reason: reader.isOrganizer || reader.agentId === row.agent_id ? row.reason : null,
});
