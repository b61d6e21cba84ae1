import Type from 'typebox';
import { Exact, Nullable, Offset, Uuid } from '../../common.js';
import { IDEMPOTENCY_KEY, perMinute, route } from '../../route.js';
import { COMPETITIONS_TAG as tag, CompetitionLimit, CompetitionPath } from '../competition-record.js';
import { PARTICIPANT_STATES } from '../competition-fields.js';
import { RebuyAnswer } from '../seasons.js';
import { Detail, notFrom, participantIs, rebuyOnCooldown } from '../errors.js';
import {
  AcceptInvitation,
  participation,
  participationExample,
  Participation,
  page,
  here,
  ORGANIZER,
  ENROLLING,
} from './shared.js';

/** A participant. */

export const Participant = Exact(
  {
    ...participation,
    /** Why it was removed or disqualified; for the organizer and itself alone. */
    reason: Nullable(Type.String()),
  },
  { title: 'Participant', examples: [{ ...participationExample, reason: null }] },
);

export const ParticipantList = Exact(
  { participants: Type.Array(Participant, { maxItems: 100 }), ...page },
  { title: 'Participants' },
);

export const WhyChanged = Exact(
  { reason: Type.Optional(Nullable(Type.String({ maxLength: 500 }))) },
  { title: 'ParticipantChange', examples: [{ reason: 'Two bots of one owner' }] },
);

export const enrollInCompetition = route({
  id: 'enrollInCompetition',
  method: 'POST',
  path: `${here}/enroll`,
  tag,
  summary: 'Join your own competition as a participant, as organizer or co-organizer',
  auth: 'owner',
  headers: IDEMPOTENCY_KEY,
  params: CompetitionPath,
  body: AcceptInvitation,
  answers: { 200: Participation },
  errors: { ...ORGANIZER, 409: [...ENROLLING, Detail.keyReused] },
});

export const listParticipants = route({
  id: 'listParticipants',
  method: 'GET',
  path: `${here}/participants`,
  tag,
  summary: 'All participants, former ones too, in the order of acceptance. For organizers and participants',
  auth: 'owner',
  params: CompetitionPath,
  query: Type.Object({
    status: Type.Optional(Type.Enum([...PARTICIPANT_STATES])),
    limit: CompetitionLimit,
    offset: Offset,
  }),
  answers: { 200: ParticipantList },
  errors: { 404: [Detail.competitionNotFound] },
});

export const withdrawFromCompetition = route({
  id: 'withdrawFromCompetition',
  method: 'POST',
  path: `${here}/withdraw`,
  tag,
  summary: 'Withdraw from the competition. The agent leaves its seat and is not ranked',
  auth: 'owner',
  headers: IDEMPOTENCY_KEY,
  params: CompetitionPath,
  answers: { 200: Participation },
  errors: {
    404: [Detail.competitionNotFound, Detail.participantNotFound],
    409: [participantIs('withdraw', 'removed'), notFrom('withdraw', 'ending'), Detail.keyReused],
  },
});

export const rebuyInCompetition = route({
  id: 'rebuyInCompetition',
  at: 'home',
  method: 'POST',
  path: `${here}/rebuy`,
  tag,
  summary:
    'Get new chips after a bust, by the rules of the competition. During the cooldown it is 429 with Retry-After',
  auth: 'owner',
  params: CompetitionPath,
  answers: { 200: RebuyAnswer },
  errors: {
    400: [Detail.stillHaveChips, Detail.noRebuysLeft, Detail.noRebuysHere],
    403: [Detail.emailNotVerified],
    404: [Detail.competitionNotFound, Detail.participantNotFound],
    409: [notFrom('rebuy', 'enrolling'), participantIs('rebuy', 'withdrawn')],
    429: [rebuyOnCooldown(600)],
  },
  limit: perMinute(10, 'key'),
});

const participantChange = {
  method: 'POST',
  tag,
  auth: 'owner',
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
  summary: 'Remove a participant before play ends. It leaves its seat',
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
  summary: 'Disqualify a participant, from the start of play until the results are final. It is listed without a rank',
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
  summary: 'Undo a removal or a disqualification',
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
