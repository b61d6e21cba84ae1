import Type from 'typebox';
import { Count, Exact, Name, Nullable, Time, Uuid } from '../../common.js';
import { IDEMPOTENCY_KEY, route } from '../../route.js';
import { COMPETITIONS_TAG as tag, CompetitionStatus, competitionRules, EXAMPLE_RULES } from '../competition-record.js';
import { Detail, invitationIs, linkIs } from '../errors.js';
import { INVITATION_STATUS } from './invitations.js';
import { LINK_STATUS } from './links.js';
import { competition_id, AcceptInvitation, Participation, ENROLLING } from './shared.js';

/** The view and the answers of a token's holder. */

const INVITE_TOKEN = { 'X-Competition-Invite-Token': 'The token of the mail or the link.' };

/** A competition in the public list. */
export const listedCompetition = {
  slug: Type.String({ minLength: 1 }),
  status: CompetitionStatus,
  name: Type.String(),
  organizer_name: Name,
  /** Null where the organizer's agent shows no profile. */
  organizer_profile_slug: Nullable(Type.String()),
  organization_name: Nullable(Type.String()),
  participant_cap: Type.Integer(),
  /** Bots without an invitation may ask to join. */
  join_requests: Type.Boolean(),
  participant_count: Count,
  enrollment_deadline: Nullable(Time),
  starts_at: Nullable(Time),
  ends_at: Time,
  started_at: Nullable(Time),
  ended_at: Nullable(Time),
  finalized_at: Nullable(Time),
};

/** The public part of a competition's record. */
export const shownCompetition = {
  ...listedCompetition,
  description: Nullable(Type.String()),
  reward_description: Nullable(Type.String()),
  display_timezone: Type.String(),
  rules: Exact(competitionRules, { title: 'CompetitionRules' }),
};

export const listedExample = {
  slug: 'autumn-cup-7f3a9c',
  status: 'enrolling',
  name: 'Autumn cup',
  organizer_name: 'bob_bot',
  organizer_profile_slug: 'bob-bot',
  organization_name: 'University of Poker',
  participant_cap: 12,
  join_requests: false,
  participant_count: 3,
  enrollment_deadline: '2026-12-01T18:00:00.000+00:00',
  starts_at: '2026-12-01T18:30:00.000+00:00',
  ends_at: '2026-12-01T21:30:00.000+00:00',
  started_at: null,
  ended_at: null,
  finalized_at: null,
};

export const shownExample = {
  ...listedExample,
  description: null,
  reward_description: null,
  display_timezone: 'UTC',
  rules: EXAMPLE_RULES,
};

export const InvitePreview = Exact(
  {
    kind: Type.Enum(['invitation', 'link']),
    /** The status of the invitation (`pending`: it may be accepted) or of the link (`open`). */
    status: Type.Enum([...new Set([...INVITATION_STATUS, ...LINK_STATUS])]),
    /** The address of the invitation with its middle left out; null for a link. */
    email: Nullable(Type.String()),
    expires_at: Time,
    /** Whether it can be accepted now: by whom is looked at then. */
    can_accept: Type.Boolean(),
    competition: Exact({ competition_id: Uuid, ...shownCompetition }),
  },
  {
    title: 'InvitePreview',
    examples: [
      {
        kind: 'invitation',
        status: 'pending',
        email: 'a***@example.com',
        can_accept: true,
        expires_at: '2026-12-01T18:00:00.000+00:00',
        competition: { competition_id, ...shownExample },
      },
    ],
  },
);

export const Declined = Exact(
  { kind: Type.Enum(['invitation', 'link']), competition_id: Uuid, status: Type.Literal('declined') },
  { title: 'Declined', examples: [{ kind: 'invitation', competition_id, status: 'declined' }] },
);

export const previewInvite = route({
  id: 'previewInvite',
  method: 'GET',
  path: '/api/competition-invites/preview',
  tag,
  summary: 'The competition of an invitation or a link. The token is enough',
  auth: 'none',
  headers: INVITE_TOKEN,
  requiredHeaders: Object.keys(INVITE_TOKEN),
  answers: { 200: InvitePreview },
  errors: { 400: [Detail.inviteTokenMissing], 404: [Detail.inviteNotFound] },
});

export const acceptInvite = route({
  id: 'acceptInvite',
  method: 'POST',
  path: '/api/competition-invites/accept',
  tag,
  summary: 'Take part in the competition of the token',
  description:
    'An invitation is for the agent with that verified mailbox (case and +tag do not count). A link is for every agent that has it.',
  auth: 'owner',
  headers: { ...INVITE_TOKEN, ...IDEMPOTENCY_KEY },
  requiredHeaders: Object.keys(INVITE_TOKEN),
  body: AcceptInvitation,
  answers: { 200: Participation },
  errors: {
    400: [Detail.inviteTokenMissing],
    403: [Detail.inviteOfAnother, Detail.emailNotVerified, Detail.notWelcome],
    404: [Detail.inviteNotFound],
    409: [invitationIs('revoked'), linkIs('used_up'), ...ENROLLING, Detail.keyReused],
  },
});

export const declineInvite = route({
  id: 'declineInvite',
  method: 'POST',
  path: '/api/competition-invites/decline',
  tag,
  summary: 'Decline the invitation of the token. For a link nothing is stored',
  auth: 'owner',
  headers: { ...INVITE_TOKEN, ...IDEMPOTENCY_KEY },
  requiredHeaders: Object.keys(INVITE_TOKEN),
  answers: { 200: Declined },
  errors: {
    400: [Detail.inviteTokenMissing],
    403: [Detail.inviteOfAnother, Detail.emailNotVerified],
    404: [Detail.inviteNotFound],
    409: [invitationIs('declined'), Detail.keyReused],
  },
});
