import { utc } from '../protocol/common.js';
import type { InvitationRow, LinkRow } from './invitation-queries.js';
import { invitationStatus, linkStatus } from './people-bodies.js';
import type { CompetitionRecord, CompetitionRules } from './record.js';

const maybe = (time: Date | null) => (time === null ? null : utc(time));

/** How play goes, without anything that is the organizer's own. */
export const rulesBody = (record: CompetitionRules): CompetitionRules => ({
  starting_chips: record.starting_chips,
  minimum_buy_in: record.minimum_buy_in,
  default_buy_in: record.default_buy_in,
  maximum_buy_in: record.maximum_buy_in,
  small_blind: record.small_blind,
  big_blind: record.big_blind,
  max_players: record.max_players,
  minimum_hands: record.minimum_hands,
  rebuys_enabled: record.rebuys_enabled,
  max_rebuys: record.max_rebuys,
  rebuy_chips: record.rebuy_chips,
  rebuy_score_penalty: record.rebuy_score_penalty,
  rebuy_cooldown_seconds: record.rebuy_cooldown_seconds,
  duplicate: record.duplicate,
});

/** What anybody may know of a competition that is shown to them. */
export const shownBody = (record: CompetitionRecord, more: { organizer: string; count: number }) => ({
  competition_id: record.competition_id,
  slug: record.slug,
  status: record.state,
  name: record.name,
  organizer_name: more.organizer,
  organization_name: record.organization_name,
  description: record.description,
  reward_description: record.reward_description,
  display_timezone: record.display_timezone,
  participant_cap: record.participant_cap,
  participant_count: more.count,
  enrollment_deadline: maybe(record.enrollment_deadline),
  starts_at: maybe(record.starts_at),
  ends_at: utc(record.ends_at),
  started_at: maybe(record.started_at),
  ended_at: maybe(record.ended_at),
  finalized_at: maybe(record.finalized_at),
  rules: rulesBody(record),
});

interface Shown {
  organizer: string;
  count: number;
  canAccept: boolean;
  now: Date;
}

/** What the holder of a token sees. */
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
    competition: shownBody(record, shown),
  };
}

/** Enough of an address for its owner to know it. */
function masked(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}***${email.slice(at)}`;
}
