import Type from 'typebox';
import { Count, Exact, Name, Nullable, Offset, Time, Uuid } from '../common.js';
import { perMinute, route } from '../route.js';
import { Email } from './accounts.js';
import { COMPETITIONS_TAG as tag, CompetitionLimit, CompetitionPath, CompetitionStatus } from './competitions.js';
import { competitionRules } from './competitions.js';
import { PARTICIPANT_STATES } from './competition-fields.js';
import { Detail, invitationIs, invitationSentOften, linkIs, notFrom, participantIs } from './errors.js';

/** People of competitions: invitations by e-mail, links, and who takes part. */

/** Carries the token of an invitation or a link: never in an address, which logs keep. */
export const INVITE_TOKEN_HEADER = 'x-competition-invite-token';

const IDEMPOTENCY_KEY = { 'Idempotency-Key': 'A repetition with the same key and body gets the first answer.' };
const INVITE_TOKEN = { 'X-Competition-Invite-Token': 'The token of the mail or the link.' };
const IF_INVITATION = { 'If-Match': 'The version of the invitation: 412 where it is another by now.' };

const competition_id = '018f4e0b-3333-4d52-9d3f-2f6c1f0a9b33';
const agent_id = '018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b11';
const TOKEN = 'k3pQ0mVn0cLkPCYw1d8yqB3zJr5T6uXhGfS2eAo7iNR';

/** Shown in place of the agent's name: no spaces at the ends, nothing that cannot be seen. */
const DisplayName = Type.String({
  minLength: 3,
  maxLength: 64,
  pattern:
    '^(?! )[^\\u0000-\\u001f\\u007f-\\u00a0\\u00ad\\u061c\\u115f\\u1160\\u180e\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\u3164\\ufeff\\uffa0\\ufff9-\\ufffc]+(?<! )$',
});

export const AcceptInvitation = Exact(
  { display_name: Type.Optional(Nullable(DisplayName)) },
  { title: 'AcceptInvitation', examples: [{ display_name: 'Ada the Great' }] },
);

const participation = {
  competition_id: Uuid,
  agent_id: Uuid,
  /** The agent's own. */
  name: Name,
  /** Shown in its place, where it chose one. */
  display_name: Nullable(Type.String()),
  status: Type.Enum([...PARTICIPANT_STATES]),
  is_organizer: Type.Boolean(),
  accepted_at: Time,
  changed_at: Time,
};
const participationExample = {
  ...{ competition_id, agent_id, name: 'ada_bot', display_name: 'Ada the Great', status: 'enrolled' },
  ...{ is_organizer: false, accepted_at: '2026-11-21T12:00:00.000+00:00' },
  changed_at: '2026-11-21T12:00:00.000+00:00',
};

/** The own part. */
export const Participation = Exact(participation, { title: 'Participation', examples: [participationExample] });

export const Participant = Exact(
  {
    ...participation,
    /** Why it was removed or disqualified; for the organizer and itself alone. */
    reason: Nullable(Type.String()),
  },
  { title: 'Participant', examples: [{ ...participationExample, reason: null }] },
);

const page = { total: Count, limit: Type.Integer({ minimum: 1, maximum: 100 }), offset: Count };

export const Participants = Exact(
  { participants: Type.Array(Participant, { maxItems: 100 }), ...page },
  { title: 'Participants' },
);

const INVITATION_STATUS = ['pending', 'accepted', 'declined', 'revoked', 'expired'] as const;
const LINK_STATUS = ['open', 'used_up', 'revoked', 'expired'] as const;

const invitation = {
  invite_id: Uuid,
  competition_id: Uuid,
  email: Type.String(),
  /** `expired`: pending, but its time is over; it may be sent again. */
  status: Type.Enum([...INVITATION_STATUS]),
  /** Rises with every change; the ETag is this number in quotes. */
  version: Type.Integer({ minimum: 1 }),
  /** Mails, the first included. */
  sends: Type.Integer({ minimum: 1 }),
  expires_at: Time,
  created_at: Time,
  sent_at: Time,
};
const invitationExample = {
  ...{ invite_id: '018f4e0c-5555-4d52-9d3f-2f6c1f0a9b55', competition_id, email: 'ada@example.com' },
  ...{ status: 'pending', version: 1, sends: 1, expires_at: '2026-12-01T18:00:00.000+00:00' },
  ...{ created_at: '2026-11-21T12:00:00.000+00:00', sent_at: '2026-11-21T12:00:00.000+00:00' },
};

export const Invitation = Exact(invitation, { title: 'Invitation', examples: [invitationExample] });

/** An invitation, and what became of it. */
export const ListedInvitation = Exact(
  {
    ...invitation,
    /** When it was accepted, declined or revoked. */
    answered_at: Nullable(Time),
    /** Who accepted or declined it. */
    agent_id: Nullable(Uuid),
  },
  { title: 'ListedInvitation', examples: [{ ...invitationExample, answered_at: null, agent_id: null }] },
);

export const Invitations = Exact(
  { invitations: Type.Array(ListedInvitation, { maxItems: 100 }), ...page },
  { title: 'Invitations' },
);

export const InvitePeople = Exact(
  { emails: Type.Array(Email, { minItems: 1, maxItems: 100 }) },
  { title: 'InvitePeople', examples: [{ emails: ['ada@example.com', 'bob@example.com'] }] },
);

export const Invited = Exact(
  {
    /** One for each address that was not in already. */
    invitations: Type.Array(Invitation, { maxItems: 100 }),
    /** `removed`: by the organizer, who may restore it. */
    refused: Type.Array(
      Exact({ email: Type.String(), reason: Type.Enum(['already_invited', 'already_participates', 'removed']) }),
      { maxItems: 100 },
    ),
  },
  { title: 'Invited' },
);

const link = {
  link_id: Uuid,
  competition_id: Uuid,
  status: Type.Enum([...LINK_STATUS]),
  max_uses: Type.Integer({ minimum: 1, maximum: 100 }),
  uses: Count,
  expires_at: Time,
  created_at: Time,
};
const linkExample = {
  ...{ link_id: '018f4e0c-6666-4d52-9d3f-2f6c1f0a9b66', competition_id, status: 'open', max_uses: 5, uses: 0 },
  ...{ expires_at: '2026-12-01T18:00:00.000+00:00', created_at: '2026-11-21T12:00:00.000+00:00' },
};

export const InviteLink = Exact(
  { ...link, revoked_at: Nullable(Time) },
  { title: 'InviteLink', examples: [{ ...linkExample, revoked_at: null }] },
);
export const InviteLinks = Exact(
  { links: Type.Array(InviteLink, { maxItems: 100 }), ...page },
  { title: 'InviteLinks' },
);

export const NewInviteLink = Exact(
  {
    ...link,
    /** Told this once. */
    token: Type.String({ minLength: 43 }),
    /** A page for people that shows the invitation. */
    url: Type.String(),
  },
  {
    title: 'NewInviteLink',
    examples: [{ ...linkExample, token: TOKEN, url: `https://poker.example/invite#token=${TOKEN}` }],
  },
);

export const CreateInviteLink = Exact(
  {
    max_uses: Type.Integer({ minimum: 1, maximum: 100, default: 1 }),
    /** Left out: in 14 days, or at the end of enrollment. */
    expires_at: Type.Optional(Nullable(Type.String({ format: 'date-time' }))),
  },
  { title: 'CreateInviteLink', examples: [{ max_uses: 5, expires_at: '2026-12-01T18:00:00Z' }] },
);

/** What anybody may know of a competition that is shown to them. */
export const shownCompetition = {
  slug: Type.String({ minLength: 1 }),
  status: CompetitionStatus,
  name: Type.String(),
  organizer_name: Name,
  organization_name: Nullable(Type.String()),
  description: Nullable(Type.String()),
  reward_description: Nullable(Type.String()),
  display_timezone: Type.String(),
  participant_cap: Type.Integer(),
  participant_count: Count,
  enrollment_deadline: Nullable(Time),
  starts_at: Nullable(Time),
  ends_at: Time,
  started_at: Nullable(Time),
  ended_at: Nullable(Time),
  finalized_at: Nullable(Time),
  rules: Exact(competitionRules, { title: 'CompetitionRules' }),
};

export const shownExample = {
  ...{ slug: 'autumn-cup-7f3a9c', status: 'enrolling', name: 'Autumn cup', organizer_name: 'bob_bot' },
  ...{ organization_name: 'University of Poker', description: null, reward_description: null },
  ...{ display_timezone: 'UTC', participant_cap: 12, participant_count: 3 },
  ...{ enrollment_deadline: '2026-12-01T18:00:00.000+00:00', starts_at: '2026-12-01T18:30:00.000+00:00' },
  ...{ ends_at: '2026-12-01T21:30:00.000+00:00', started_at: null, ended_at: null, finalized_at: null },
  rules: {
    ...{ starting_chips: 5000, minimum_buy_in: 1000, default_buy_in: 2000, maximum_buy_in: 5000 },
    ...{ small_blind: 10, big_blind: 20, max_players: 6, minimum_hands: 0, rebuys_enabled: true, max_rebuys: 2 },
    ...{ rebuy_chips: 1000, rebuy_score_penalty: 500, rebuy_cooldown_seconds: 0, duplicate: false },
  },
};

export const InvitePreview = Exact(
  {
    kind: Type.Enum(['invitation', 'link']),
    /** Of the invitation (`pending`: it may be accepted) or of the link (`open`). */
    status: Type.Enum([...new Set([...INVITATION_STATUS, ...LINK_STATUS])]),
    /** Whom the invitation is for, with its middle left out; null for a link. */
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
        ...{ kind: 'invitation', status: 'pending', email: 'a***@example.com', can_accept: true },
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

export const WhyChanged = Exact(
  { reason: Type.Optional(Nullable(Type.String({ maxLength: 500 }))) },
  { title: 'ParticipantChange', examples: [{ reason: 'Two bots of one owner' }] },
);

const Page = Type.Object({ limit: CompetitionLimit, offset: Offset });
const here = '/api/competitions/{competition_id}';
const ORGANIZER = { 403: [Detail.organizerOnly], 404: [Detail.competitionNotFound] } as const;
const ENROLLING = [
  notFrom('enroll', 'active'),
  Detail.alreadyParticipates,
  Detail.competitionFull,
  Detail.displayNameTaken,
] as const;

export const enrollInCompetition = route({
  id: 'enrollInCompetition',
  method: 'POST',
  path: `${here}/enroll`,
  tag,
  summary: 'The organizer joins its own competition as a participant like all others',
  auth: 'agent',
  headers: IDEMPOTENCY_KEY,
  params: CompetitionPath,
  body: AcceptInvitation,
  answers: { 200: Participation },
  errors: { ...ORGANIZER, 409: [...ENROLLING, Detail.keyReused] },
});

export const listInvitations = route({
  id: 'listInvitations',
  method: 'GET',
  path: `${here}/invitations`,
  tag,
  summary: 'Invitations by e-mail, latest first; for the organizer',
  auth: 'agent',
  params: CompetitionPath,
  query: Page,
  answers: { 200: Invitations },
  errors: ORGANIZER,
});

export const invitePeople = route({
  id: 'invitePeople',
  method: 'POST',
  path: `${here}/invitations`,
  tag,
  summary: 'Invites people by e-mail, each address once',
  description:
    'Addresses that have a pending invitation, take part, or were removed are left out and told in `refused`; 409 where that is all of them.',
  auth: 'agent',
  headers: IDEMPOTENCY_KEY,
  params: CompetitionPath,
  body: InvitePeople,
  answers: { 201: Invited },
  errors: {
    403: [Detail.organizerOnly, Detail.emailNotVerified],
    404: [Detail.competitionNotFound],
    409: [Detail.nobodyToInvite, notFrom('invite', 'active'), Detail.keyReused],
    429: [Detail.invitationsToday],
  },
  limit: perMinute(20, 'key'),
});

const InvitationPath = Type.Object({ competition_id: Uuid, invite_id: Uuid });

export const resendInvitation = route({
  id: 'resendInvitation',
  method: 'POST',
  path: `${here}/invitations/{invite_id}/resend`,
  tag,
  summary: 'Sends a pending or expired invitation again, with a new token; the one before is void',
  auth: 'agent',
  headers: { ...IF_INVITATION, ...IDEMPOTENCY_KEY },
  params: InvitationPath,
  answers: { 200: Invitation },
  errors: {
    403: [Detail.organizerOnly, Detail.emailNotVerified],
    404: [Detail.competitionNotFound, Detail.invitationNotFound],
    409: [invitationIs('accepted'), invitationSentOften(5), notFrom('invite', 'active'), Detail.keyReused],
    412: [Detail.staleInvitation],
    429: [Detail.invitationJustSent],
  },
});

export const revokeInvitation = route({
  id: 'revokeInvitation',
  method: 'DELETE',
  path: `${here}/invitations/{invite_id}`,
  tag,
  summary: 'Revokes an invitation that nobody has answered',
  auth: 'agent',
  headers: { ...IF_INVITATION, ...IDEMPOTENCY_KEY },
  params: InvitationPath,
  answers: { 200: Invitation },
  errors: {
    403: [Detail.organizerOnly],
    404: [Detail.competitionNotFound, Detail.invitationNotFound],
    409: [invitationIs('accepted'), Detail.keyReused],
    412: [Detail.staleInvitation],
  },
});

export const createInviteLink = route({
  id: 'createInviteLink',
  method: 'POST',
  path: `${here}/invite-links`,
  tag,
  summary: 'A link that lets in whoever has it, so many times; its token is told this once',
  auth: 'agent',
  params: CompetitionPath,
  body: CreateInviteLink,
  answers: { 201: NewInviteLink },
  errors: { ...ORGANIZER, 409: [Detail.tooManyLinks, notFrom('invite', 'active')] },
});

export const listInviteLinks = route({
  id: 'listInviteLinks',
  method: 'GET',
  path: `${here}/invite-links`,
  tag,
  summary: 'Invite links without their tokens, latest first; for the organizer',
  auth: 'agent',
  params: CompetitionPath,
  query: Page,
  answers: { 200: InviteLinks },
  errors: ORGANIZER,
});

export const revokeInviteLink = route({
  id: 'revokeInviteLink',
  method: 'DELETE',
  path: `${here}/invite-links/{link_id}`,
  tag,
  summary: 'Revokes an invite link; who came by it stays',
  auth: 'agent',
  headers: IDEMPOTENCY_KEY,
  params: Type.Object({ competition_id: Uuid, link_id: Uuid }),
  answers: { 200: InviteLink },
  errors: {
    403: [Detail.organizerOnly],
    404: [Detail.competitionNotFound, Detail.linkNotFound],
    409: [linkIs('revoked'), Detail.keyReused],
  },
});

export const previewInvite = route({
  id: 'previewInvite',
  method: 'GET',
  path: '/api/competition-invites/preview',
  tag,
  summary: 'What the token of an invitation or a link invites to; the token is all that is needed',
  auth: 'none',
  headers: INVITE_TOKEN,
  answers: { 200: InvitePreview },
  errors: { 400: [Detail.inviteTokenMissing], 404: [Detail.inviteNotFound] },
});

export const acceptInvite = route({
  id: 'acceptInvite',
  method: 'POST',
  path: '/api/competition-invites/accept',
  tag,
  summary: 'Takes part in the competition of the token',
  description:
    'An invitation by e-mail is for the agent whose verified address is that mailbox (case and +tag apart); a link is for whoever has it.',
  auth: 'agent',
  headers: { ...INVITE_TOKEN, ...IDEMPOTENCY_KEY },
  body: AcceptInvitation,
  answers: { 200: Participation },
  errors: {
    400: [Detail.inviteTokenMissing],
    403: [Detail.inviteOfAnother, Detail.emailNotVerified, Detail.notWelcome],
    404: [Detail.inviteNotFound],
    409: [invitationIs('revoked'), linkIs('used_up'), ...ENROLLING, Detail.keyReused],
  },
  limit: perMinute(20, 'key'),
});

export const declineInvite = route({
  id: 'declineInvite',
  method: 'POST',
  path: '/api/competition-invites/decline',
  tag,
  summary: 'Declines the invitation of the token; of a link nothing is written down',
  auth: 'agent',
  headers: { ...INVITE_TOKEN, ...IDEMPOTENCY_KEY },
  answers: { 200: Declined },
  errors: {
    400: [Detail.inviteTokenMissing],
    403: [Detail.inviteOfAnother, Detail.emailNotVerified],
    404: [Detail.inviteNotFound],
    409: [invitationIs('declined'), Detail.keyReused],
  },
});

export const listParticipants = route({
  id: 'listParticipants',
  method: 'GET',
  path: `${here}/participants`,
  tag,
  summary: 'Who takes part or did, in the order of acceptance; for the organizer and all of them',
  auth: 'agent',
  params: CompetitionPath,
  query: Type.Object({
    status: Type.Optional(Type.Enum([...PARTICIPANT_STATES])),
    limit: CompetitionLimit,
    offset: Offset,
  }),
  answers: { 200: Participants },
  errors: { 404: [Detail.competitionNotFound] },
});

export const withdrawFromCompetition = route({
  id: 'withdrawFromCompetition',
  method: 'POST',
  path: `${here}/withdraw`,
  tag,
  summary: 'Ends the own part; a seat is given up, and the own result is not ranked',
  auth: 'agent',
  headers: IDEMPOTENCY_KEY,
  params: CompetitionPath,
  answers: { 200: Participation },
  errors: {
    404: [Detail.competitionNotFound, Detail.participantNotFound],
    409: [participantIs('withdraw', 'removed'), notFrom('withdraw', 'ending'), Detail.keyReused],
  },
});

const participantChange = {
  method: 'POST',
  tag,
  auth: 'agent',
  headers: IDEMPOTENCY_KEY,
  params: Type.Object({ competition_id: Uuid, agent_id: Uuid }),
  body: WhyChanged,
  answers: { 200: Participant },
} as const;
const notFound = [Detail.competitionNotFound, Detail.participantNotFound] as const;

export const removeParticipant = route({
  ...participantChange,
  id: 'removeParticipant',
  path: `${here}/participants/{agent_id}/remove`,
  summary: 'Takes somebody out before play ends; a seat is given up',
  errors: {
    403: [Detail.organizerOnly],
    404: notFound,
    409: [participantIs('remove', 'withdrawn'), notFrom('remove', 'ending'), Detail.keyReused],
  },
});

export const disqualifyParticipant = route({
  ...participantChange,
  id: 'disqualifyParticipant',
  path: `${here}/participants/{agent_id}/disqualify`,
  summary: 'Disqualifies somebody once play has begun and until the results are final: listed, without a rank',
  errors: {
    403: [Detail.organizerOnly],
    404: notFound,
    409: [participantIs('disqualify', 'withdrawn'), notFrom('disqualify', 'enrolling'), Detail.keyReused],
  },
});

export const restoreParticipant = route({
  ...participantChange,
  id: 'restoreParticipant',
  path: `${here}/participants/{agent_id}/restore`,
  summary: 'Takes a removal or a disqualification back',
  errors: {
    403: [Detail.organizerOnly],
    404: notFound,
    409: [
      participantIs('restore', 'enrolled'),
      notFrom('restore', 'finalized'),
      Detail.competitionFull,
      Detail.keyReused,
    ],
  },
});
