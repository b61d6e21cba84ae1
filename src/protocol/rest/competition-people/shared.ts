import Type from 'typebox';
import { Count, Exact, Name, Nullable, Offset, Time, Uuid } from '../../common.js';
import { CompetitionLimit } from '../competition-record.js';
import { PARTICIPANT_STATES } from '../competition-fields.js';
import { Detail, notFrom } from '../errors.js';

/** Carries the token of an invitation or a link: never in an address, which logs keep. */
export const INVITE_TOKEN_HEADER = 'x-competition-invite-token';

export const competition_id = '018f4e0b-3333-4d52-9d3f-2f6c1f0a9b33';
const agent_id = '018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b11';
export const TOKEN = 'k3pQ0mVn0cLkPCYw1d8yqB3zJr5T6uXhGfS2eAo7iNR';

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

export const participation = {
  competition_id: Uuid,
  agent_id: Uuid,
  /** The agent's own. */
  name: Name,
  /** Shown in its place, where it chose one. */
  display_name: Nullable(Type.String()),
  status: Type.Enum([...PARTICIPANT_STATES]),
  is_organizer: Type.Boolean(),
  is_co_organizer: Type.Boolean(),
  accepted_at: Time,
  changed_at: Time,
};
export const participationExample = {
  competition_id,
  agent_id,
  name: 'ada_bot',
  display_name: 'Ada the Great',
  status: 'enrolled',
  is_organizer: false,
  is_co_organizer: false,
  accepted_at: '2026-11-21T12:00:00.000+00:00',
  changed_at: '2026-11-21T12:00:00.000+00:00',
};

/** The own part. */
export const Participation = Exact(participation, { title: 'Participation', examples: [participationExample] });

export const page = { total: Count, limit: Type.Integer({ minimum: 1, maximum: 100 }), offset: Count };

export const PageQuery = Type.Object({ limit: CompetitionLimit, offset: Offset });
export const here = '/api/competitions/{competition_id}';
export const ORGANIZER = { 403: [Detail.organizerOnly], 404: [Detail.competitionNotFound] } as const;
export const ENROLLING = [
  notFrom('enroll', 'active'),
  Detail.alreadyParticipates,
  Detail.competitionFull,
  Detail.displayNameTaken,
  Detail.displayNameReserved,
  Detail.ownNameTaken,
] as const;
