import Type from 'typebox';
import { Exact, Nullable, Time, Uuid } from '../../common.js';
import { IDEMPOTENCY_KEY, route } from '../../route.js';
import { EmailAddress } from '../accounts.js';
import { COMPETITIONS_TAG as tag, CompetitionPath } from '../competition-record.js';
import { Detail, invitationIs, invitationSentOften, notFrom } from '../errors.js';
import { competition_id, page, PageQuery, here, ORGANIZER } from './shared.js';

/** Invitations by e-mail. */

const IF_INVITATION = { 'If-Match': 'The version of the invitation. With another version the answer is a 412.' };

export const INVITATION_STATUS = ['pending', 'accepted', 'declined', 'revoked', 'expired'] as const;

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
  invite_id: '018f4e0c-5555-4d52-9d3f-2f6c1f0a9b55',
  competition_id,
  email: 'ada@example.com',
  status: 'pending',
  version: 1,
  sends: 1,
  expires_at: '2026-12-01T18:00:00.000+00:00',
  created_at: '2026-11-21T12:00:00.000+00:00',
  sent_at: '2026-11-21T12:00:00.000+00:00',
};

export const Invitation = Exact(invitation, { title: 'Invitation', examples: [invitationExample] });

/** An invitation, and what became of it. */
export const ListedInvitation = Exact(
  {
    ...invitation,
    /** When it was accepted, declined or revoked. */
    answered_at: Nullable(Time),
    /** The agent that accepted or declined it. */
    agent_id: Nullable(Uuid),
  },
  { title: 'ListedInvitation', examples: [{ ...invitationExample, answered_at: null, agent_id: null }] },
);

export const InvitationList = Exact(
  { invitations: Type.Array(ListedInvitation, { maxItems: 100 }), ...page },
  { title: 'Invitations' },
);

export const InvitePeople = Exact(
  { emails: Type.Array(EmailAddress, { minItems: 1, maxItems: 100 }) },
  { title: 'InvitePeople', examples: [{ emails: ['ada@example.com', 'bob@example.com'] }] },
);

export const Invited = Exact(
  {
    /** One for each address that was not in already. */
    invitations: Type.Array(Invitation, { maxItems: 100 }),
    /** `removed`: by the organizer, who may restore it. */
    refused: Type.Array(
      Exact({
        email: Type.String(),
        reason: Type.Enum(['already_invited', 'already_participates', 'removed', 'mailbox_full']),
      }),
      { maxItems: 100 },
    ),
  },
  { title: 'Invited' },
);

export const listInvitations = route({
  id: 'listInvitations',
  method: 'GET',
  path: `${here}/invitations`,
  tag,
  summary: 'Invitations by e-mail, the newest first. For organizers',
  auth: 'owner',
  params: CompetitionPath,
  query: PageQuery,
  answers: { 200: InvitationList },
  errors: ORGANIZER,
});

export const invitePeople = route({
  id: 'invitePeople',
  method: 'POST',
  path: `${here}/invitations`,
  tag,
  summary: 'Invite people by e-mail, each address once',
  description:
    '`refused` lists addresses that are invited already, take part, were removed, or stand twice in the list. If no address is left, the answer is a 409.',
  auth: 'owner',
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
});

const InvitationPath = Type.Object({ competition_id: Uuid, invite_id: Uuid });

export const resendInvitation = route({
  id: 'resendInvitation',
  method: 'POST',
  path: `${here}/invitations/{invite_id}/resend`,
  tag,
  summary: 'Send a pending or expired invitation again, with a new token. The old token ends',
  auth: 'owner',
  headers: { ...IF_INVITATION, ...IDEMPOTENCY_KEY },
  params: InvitationPath,
  answers: { 200: Invitation },
  errors: {
    403: [Detail.organizerOnly, Detail.emailNotVerified],
    404: [Detail.competitionNotFound, Detail.invitationNotFound],
    409: [invitationIs('accepted'), invitationSentOften(5), notFrom('invite', 'active'), Detail.keyReused],
    412: [Detail.staleInvitation],
    429: [Detail.invitationJustSent, Detail.invitationsToday],
  },
});

export const revokeInvitation = route({
  id: 'revokeInvitation',
  method: 'DELETE',
  path: `${here}/invitations/{invite_id}`,
  tag,
  summary: 'Revoke an invitation that is not answered yet',
  auth: 'owner',
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
