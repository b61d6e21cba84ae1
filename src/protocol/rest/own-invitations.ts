import Type from 'typebox';
import { Count, Exact, Name, Nullable, Offset, Time, Uuid } from '../common.js';
import { IDEMPOTENCY_KEY, route } from '../route.js';
import { AcceptInvitation, ENROLLING, Participation } from './competition-people/shared.js';
import { COMPETITIONS_TAG as tag, CompetitionLimit, CompetitionStatus } from './competition-record.js';
import { Detail, invitationIs } from './errors.js';
import { INVITATION_STATUS } from './competition-people/invitations.js';
import { Declined } from './competition-people/answers.js';

/** Invitations by e-mail as those who got them see them. */

const invite_id = '018f4e0c-5555-4d52-9d3f-2f6c1f0a9b55';

export const OwnInvitation = Exact(
  {
    invite_id: Uuid,
    competition_id: Uuid,
    competition_name: Type.String(),
    competition_status: CompetitionStatus,
    organizer_name: Name,
    organization_name: Nullable(Type.String()),
    /** `expired`: pending, but its time is over; the organizer may send it again. */
    status: Type.Enum([...INVITATION_STATUS]),
    expires_at: Time,
    created_at: Time,
    /** When it was accepted, declined or revoked. */
    answered_at: Nullable(Time),
    /** Where a POST accepts it; null where that cannot be, or not yet. */
    accept_path: Nullable(Type.String()),
  },
  {
    title: 'OwnInvitation',
    examples: [
      {
        invite_id,
        competition_id: '018f4e0b-3333-4d52-9d3f-2f6c1f0a9b33',
        competition_name: 'Autumn cup',
        competition_status: 'enrolling',
        organizer_name: 'bob_bot',
        organization_name: 'University of Poker',
        status: 'pending',
        expires_at: '2026-12-01T18:00:00.000+00:00',
        created_at: '2026-11-21T12:00:00.000+00:00',
        answered_at: null,
        accept_path: `/api/me/competition-invitations/${invite_id}/accept`,
      },
    ],
  },
);

export const OwnInvitations = Exact(
  {
    invitations: Type.Array(OwnInvitation, { maxItems: 100 }),
    /**
     * Where it is false only those are listed that were answered with the token of their mail, such as by another
     * address.
     */
    email_verified: Type.Boolean(),
    total: Count,
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
    offset: Count,
  },
  { title: 'OwnInvitations' },
);

const here = '/api/me/competition-invitations';
const OwnInvitationPath = Type.Object({ invite_id: Uuid });

export const listOwnInvitations = route({
  id: 'listOwnInvitations',
  method: 'GET',
  path: here,
  tag,
  summary: 'Invitations to your verified address, the newest first: open, accepted and declined',
  description: 'The address must match, but for case. An invitation with another +tag needs the token of its mail.',
  auth: 'owner',
  query: Type.Object({ limit: CompetitionLimit, offset: Offset }),
  answers: { 200: OwnInvitations },
});

export const acceptOwnInvitation = route({
  id: 'acceptOwnInvitation',
  method: 'POST',
  path: `${here}/{invite_id}/accept`,
  tag,
  summary: 'Accept an invitation of your list, without the token of its mail',
  auth: 'owner',
  headers: IDEMPOTENCY_KEY,
  params: OwnInvitationPath,
  body: AcceptInvitation,
  answers: { 200: Participation },
  errors: {
    403: [Detail.notWelcome],
    404: [Detail.invitationNotFound],
    409: [invitationIs('revoked'), ...ENROLLING, Detail.keyReused],
  },
});

export const declineOwnInvitation = route({
  id: 'declineOwnInvitation',
  method: 'POST',
  path: `${here}/{invite_id}/decline`,
  tag,
  summary: 'Decline an invitation of your list',
  auth: 'owner',
  headers: IDEMPOTENCY_KEY,
  params: OwnInvitationPath,
  answers: { 200: Declined },
  errors: { 404: [Detail.invitationNotFound], 409: [invitationIs('accepted'), Detail.keyReused] },
});
