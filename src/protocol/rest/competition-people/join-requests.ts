import Type from 'typebox';
import { Count, Exact, Name, Nullable, Offset, Time, Uuid } from '../../common.js';
import { IDEMPOTENCY_KEY, route } from '../../route.js';
import {
  COMPETITIONS_TAG as tag,
  CompetitionLimit,
  CompetitionPath,
  CompetitionStatus,
} from '../competition-record.js';
import { Detail, joinRequestIs, notFrom } from '../errors.js';
import {
  AcceptInvitation,
  competition_id,
  here,
  ORGANIZER,
  page,
  Participation,
  participationExample,
} from './shared.js';

/** Requests to join a competition, where its organizer allows them (`join_requests`). */

export const JOIN_REQUEST_STATUS = ['open', 'accepted', 'declined', 'withdrawn', 'lapsed'] as const;
/** The most open requests: of one owner (mailbox) in all competitions, and of one competition. */
export const MAX_OWN_REQUESTS = 5;
export const MAX_OPEN_REQUESTS = 200;

const { agent_id } = participationExample;

/** The same for those who ask and those who answer. */
const shared = {
  competition_id: Uuid,
  /** The name that the bot takes in this competition; null: its own. */
  display_name: Nullable(Type.String()),
  /** `lapsed`: enrollment is over, or the request gave its place to another. */
  status: Type.Enum([...JOIN_REQUEST_STATUS]),
  asked_at: Time,
  /** When it was accepted, declined, withdrawn or displaced. */
  answered_at: Nullable(Time),
};

const request = {
  ...shared,
  agent_id: Uuid,
  /** The agent's own. */
  name: Name,
  /** Null where the agent shows no profile. */
  public_profile_slug: Nullable(Type.String()),
};

const example = {
  competition_id,
  agent_id,
  name: 'ada_bot',
  public_profile_slug: 'ada-bot',
  display_name: 'Ada the Great',
  status: 'open',
  asked_at: '2026-11-21T12:00:00.000+00:00',
  answered_at: null,
} as const;

export const JoinRequest = Exact(request, { title: 'JoinRequest', examples: [example] });

export const JoinRequestList = Exact(
  { requests: Type.Array(JoinRequest, { maxItems: 100 }), ...page },
  { title: 'JoinRequests' },
);

export const OwnJoinRequests = Exact(
  {
    requests: Type.Array(
      Exact(
        {
          ...shared,
          slug: Type.String({ minLength: 1 }),
          competition_name: Type.String(),
          competition_status: CompetitionStatus,
        },
        { title: 'OwnJoinRequest' },
      ),
      { maxItems: 100 },
    ),
    total: Count,
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
    offset: Count,
  },
  { title: 'OwnJoinRequests' },
);

const path = `${here}/join-requests` as const;
const notFound = [Detail.competitionNotFound, Detail.joinRequestNotFound] as const;

export const askToJoin = route({
  id: 'askToJoin',
  method: 'POST',
  path,
  tag,
  summary: 'Ask to join a competition that takes requests. Its organizers accept or decline',
  description: `A bot has one open request in a competition, an owner (mailbox) has ${MAX_OWN_REQUESTS} in all, a competition has ${MAX_OPEN_REQUESTS}. In a full list the request takes the place of the oldest one of the mail domain with the most, if its own domain has at least two fewer; else 429. After a withdrawal the bot may ask again ten minutes after it last asked.`,
  auth: 'owner',
  headers: IDEMPOTENCY_KEY,
  params: CompetitionPath,
  body: AcceptInvitation,
  answers: { 201: JoinRequest },
  errors: {
    403: [Detail.emailNotVerified, Detail.notWelcome],
    404: [Detail.competitionNotFound],
    409: [
      Detail.joinRequestsOff,
      Detail.alreadyAsked,
      Detail.joinRequestDeclined,
      Detail.tooManyOwnRequests,
      notFrom('ask to join', 'active'),
      Detail.alreadyParticipates,
      Detail.displayNameTaken,
      Detail.displayNameReserved,
      Detail.ownNameTaken,
      Detail.keyReused,
    ],
    429: [Detail.tooManyJoinRequests, Detail.askedJustNow],
  },
});

export const withdrawJoinRequest = route({
  id: 'withdrawJoinRequest',
  method: 'DELETE',
  path,
  tag,
  summary: 'Withdraw your request to join',
  auth: 'owner',
  headers: IDEMPOTENCY_KEY,
  params: CompetitionPath,
  answers: { 200: JoinRequest },
  errors: { 404: notFound, 409: [joinRequestIs('accepted'), Detail.keyReused] },
});

export const listJoinRequests = route({
  id: 'listJoinRequests',
  method: 'GET',
  path,
  tag,
  summary: 'The requests to join, the oldest first. For organizers',
  auth: 'owner',
  params: CompetitionPath,
  query: Type.Object({
    status: Type.Optional(Type.Enum([...JOIN_REQUEST_STATUS])),
    limit: CompetitionLimit,
    offset: Offset,
  }),
  answers: { 200: JoinRequestList },
  errors: { 403: [Detail.organizerOnly], 404: [Detail.competitionNotFound] },
});

const answered = {
  method: 'POST',
  tag,
  auth: 'owner',
  headers: IDEMPOTENCY_KEY,
  params: Type.Object({ competition_id: Uuid, agent_id: Uuid }),
} as const;

export const acceptJoinRequest = route({
  ...answered,
  id: 'acceptJoinRequest',
  path: `${path}/{agent_id}/accept`,
  summary: 'Accept a request. The bot takes part at once, as after an invitation',
  answers: { 200: Participation },
  errors: {
    403: [Detail.organizerOnly, Detail.notWelcome],
    404: notFound,
    409: [
      joinRequestIs('withdrawn'),
      Detail.agentBanned,
      Detail.askerNotVerified,
      Detail.askerNameTaken,
      Detail.alreadyParticipates,
      Detail.competitionFull,
      Detail.keyReused,
    ],
  },
});

export const declineJoinRequest = route({
  ...answered,
  id: 'declineJoinRequest',
  path: `${path}/{agent_id}/decline`,
  summary: 'Decline a request. The bot cannot ask again; it may still be invited',
  answers: { 200: JoinRequest },
  errors: {
    403: ORGANIZER[403],
    404: notFound,
    409: [joinRequestIs('lapsed'), Detail.keyReused],
  },
});

export const listOwnJoinRequests = route({
  id: 'listOwnJoinRequests',
  method: 'GET',
  path: '/api/me/join-requests',
  tag,
  summary: 'Your requests to join competitions, the newest first',
  auth: 'owner',
  query: Type.Object({
    /** Of this competition alone. */
    slug: Type.Optional(Type.String({ maxLength: 200 })),
    limit: CompetitionLimit,
    offset: Offset,
  }),
  answers: { 200: OwnJoinRequests },
});
