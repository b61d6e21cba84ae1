import { utc, utcOrNull } from '../../protocol/common.js';
import type { InvitationRow, LinkRow } from './invitation-queries.js';
import type { Person } from './participant-queries.js';
import { invitationStatus, linkStatus } from './bodies.js';
import { rulesBody } from '../body.js';
import type { CompetitionRecord } from '../record.js';

type Organizing = Pick<Person, 'name' | 'slug'>;

/** The public part of a competition's record. */
export const shownBody = (record: CompetitionRecord, more: { organizer: Organizing; count: number }) => ({
  slug: record.slug,
  status: record.state,
  name: record.name,
  organizer_name: more.organizer.name,
  organizer_profile_slug: more.organizer.slug,
  organization_name: record.organization_name,
  description: record.description,
  reward_description: record.reward_description,
  display_timezone: record.display_timezone,
  participant_cap: record.participant_cap,
  join_requests: record.join_requests,
  participant_count: more.count,
  enrollment_deadline: utcOrNull(record.enrollment_deadline),
  starts_at: utcOrNull(record.starts_at),
  ends_at: utc(record.ends_at),
  started_at: utcOrNull(record.started_at),
  ended_at: utcOrNull(record.ended_at),
  finalized_at: utcOrNull(record.finalized_at),
  rules: rulesBody(record),
});

interface Shown {
  organizer: Organizing;
  count: number;
  canAccept: boolean;
  now: Date;
}

/** The view of a token's holder. */
export function previewBody(
  opened: { invitation?: InvitationRow; link?: LinkRow },
  record: CompetitionRecord,
  { canAccept, now, ...shown }: Shown,
) {
  const { invitation, link } = opened;
  return {
    kind: invitation === undefined ? ('link' as const) : ('invitation' as const),
    status: invitation === undefined ? linkStatus(link!, now) : invitationStatus(invitation, now),
    email: invitation === undefined ? null : masked(invitation.email),
    expires_at: utc((invitation ?? link!).expires_at),
    can_accept: canAccept,
    competition: { competition_id: record.competition_id, ...shownBody(record, shown) },
  };
}

/** Enough of an address for its owner to know it. */
function masked(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}***${email.slice(at)}`;
}
