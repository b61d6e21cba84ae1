import Type from 'typebox';
import { Chips, Count, Exact, Nullable, Offset, Time, Uuid } from '../common.js';
import { perMinute, route, type RouteSpec } from '../route.js';
import {
  COMPETITION_FIELDS as F,
  COMPETITION_STATES,
  CreateCompetition,
  PARTICIPANT_STATES,
  UpdateCompetition,
} from './competition-fields.js';
import { Detail, notFrom } from './errors.js';

/** Competitions, their life and what was done to them; docs/PROTOCOL.md tells of both. */

export const COMPETITIONS_TAG = 'Competitions';
export const CompetitionStatus = Type.Enum([...COMPETITION_STATES]);
export const CompetitionPath = Type.Object({ competition_id: Uuid });
/** Pages of any list about competitions. */
export const CompetitionLimit = Type.Integer({ minimum: 1, maximum: 100, default: 50 });

const IF_MATCH = { 'If-Match': "The ETag that the change is meant for: 412 where it is no more the record's." };
const IDEMPOTENCY_KEY = { 'Idempotency-Key': 'A repetition with the same key and body gets the first answer.' };

const example = {
  competition_id: '018f4e0b-3333-4d52-9d3f-2f6c1f0a9b33',
  slug: 'autumn-cup-7f3a9c',
  status: 'enrolling',
  version: 2,
  organizer_id: '018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b11',
  is_organizer: true,
  participation: null,
  participant_count: 0,
  name: 'Autumn cup',
  organization_name: 'University of Poker',
  description: null,
  reward_description: null,
  display_timezone: 'UTC',
  participant_cap: 12,
  enrollment_deadline: '2026-12-01T18:00:00.000+00:00',
  starts_at: '2026-12-01T18:30:00.000+00:00',
  ends_at: '2026-12-01T21:30:00.000+00:00',
  starting_chips: 5000,
  minimum_buy_in: 1000,
  default_buy_in: 2000,
  maximum_buy_in: 5000,
  small_blind: 10,
  big_blind: 20,
  max_players: 6,
  minimum_hands: 0,
  rebuys_enabled: true,
  max_rebuys: 2,
  rebuy_chips: 1000,
  rebuy_score_penalty: 500,
  rebuy_cooldown_seconds: 0,
  duplicate: false,
  created_at: '2026-11-21T06:00:00.000+00:00',
  updated_at: '2026-11-21T06:01:00.000+00:00',
  started_at: null,
  ended_at: null,
  finalized_at: null,
  cancelled_at: null,
} as const;

/** How play goes: the same in the record and on the public page. */
export const competitionRules = {
  starting_chips: Chips,
  minimum_buy_in: Chips,
  default_buy_in: Chips,
  maximum_buy_in: Chips,
  small_blind: Chips,
  big_blind: Chips,
  max_players: Type.Integer({ minimum: F.max_players.minimum, maximum: F.max_players.maximum }),
  /** Fewer do not rank. */
  minimum_hands: Count,
  rebuys_enabled: Type.Boolean(),
  max_rebuys: Count,
  rebuy_chips: Chips,
  /** Taken off the score for each rebuy. */
  rebuy_score_penalty: Chips,
  rebuy_cooldown_seconds: Count,
  /** All tables deal the same decks, to rotated seats. */
  duplicate: Type.Boolean(),
};

const competition = {
  competition_id: Uuid,
  /** Names the public page. */
  slug: Type.String({ minLength: 1 }),
  status: CompetitionStatus,
  /** Rises with every change of this record; the ETag is this number in quotes. */
  version: Type.Integer({ minimum: 1 }),
  organizer_id: Uuid,
  is_organizer: Type.Boolean(),
  /** The caller's own part. */
  participation: Nullable(Type.Enum([...PARTICIPANT_STATES])),
  /** Those enrolled. */
  participant_count: Count,
  name: Type.String(),
  organization_name: Nullable(Type.String()),
  description: Nullable(Type.String()),
  reward_description: Nullable(Type.String()),
  display_timezone: Type.String(),
  participant_cap: Type.Integer(),
  /** When enrollment closes, play starts and play ends by themselves. */
  enrollment_deadline: Nullable(Time),
  starts_at: Nullable(Time),
  ends_at: Time,
  ...competitionRules,
  created_at: Time,
  updated_at: Time,
  started_at: Nullable(Time),
  ended_at: Nullable(Time),
  finalized_at: Nullable(Time),
  cancelled_at: Nullable(Time),
};

export const Competition = Exact(competition, { title: 'Competition', examples: [example] });

export const Competitions = Exact(
  {
    competitions: Type.Array(Competition, { maxItems: 100 }),
    total: Count,
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
    offset: Count,
  },
  { title: 'Competitions' },
);

const FieldBounds = Exact(
  {
    type: Type.Enum(['string', 'integer', 'boolean', 'date-time']),
    required: Type.Boolean(),
    /** What holds when the field is left out; null: nothing. */
    default: Nullable(Type.Union([Type.String(), Type.Integer(), Type.Boolean()])),
    /** Of a number; of a text its length in characters. */
    minimum: Nullable(Type.Integer()),
    maximum: Nullable(Type.Integer()),
  },
  { title: 'FieldBounds' },
);

export const CompetitionMetadata = Exact(
  {
    /** By field of a create request. */
    fields: Type.Record(Type.String(), FieldBounds),
    statuses: Type.Array(CompetitionStatus),
    /** What leads from where to where. */
    transitions: Type.Array(Exact({ step: Type.String(), from: Type.Array(CompetitionStatus), to: CompetitionStatus })),
    /** Competitions of one organizer that are neither finalized nor cancelled. */
    competitions_at_once: Count,
    competitions_a_day: Count,
  },
  { title: 'CompetitionMetadata' },
);

export const AuditEntries = Exact(
  {
    entries: Type.Array(
      Exact({
        entry_id: Count,
        at: Time,
        /** An agent's id; `system`: a date that came, or what followed from one. */
        actor: Type.String(),
        /** What was done: the name of the endpoint. */
        action: Type.String(),
        detail: Type.Record(Type.String(), Type.Unknown()),
      }),
      { maxItems: 100 },
    ),
    total: Count,
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
    offset: Count,
  },
  {
    title: 'CompetitionAudit',
    examples: [
      {
        entries: [
          {
            entry_id: 81,
            at: '2026-12-01T18:00:00.000+00:00',
            actor: 'system',
            action: 'closeEnrollment',
            detail: { from: 'enrolling', to: 'enrollment_closed' },
          },
        ],
        total: 1,
        limit: 50,
        offset: 0,
      },
    ],
  },
);

const Page = Type.Object({ limit: CompetitionLimit, offset: Offset });

export const getCompetitionMetadata = route({
  id: 'getCompetitionMetadata',
  method: 'GET',
  path: '/api/competitions/metadata',
  tag: COMPETITIONS_TAG,
  summary: 'Bounds and defaults of what an organizer may set',
  auth: 'none',
  answers: { 200: CompetitionMetadata },
});

export const listCompetitions = route({
  id: 'listCompetitions',
  method: 'GET',
  path: '/api/competitions',
  tag: COMPETITIONS_TAG,
  summary: 'The competitions that the caller organizes or takes part in, latest first',
  auth: 'agent',
  query: Type.Object({
    status: Type.Optional(Type.String({ maxLength: 32 })),
    limit: CompetitionLimit,
    offset: Offset,
  }),
  answers: { 200: Competitions },
});

export const createCompetition = route({
  id: 'createCompetition',
  method: 'POST',
  path: '/api/competitions',
  tag: COMPETITIONS_TAG,
  summary: 'A new competition, a draft, whose organizer is the caller',
  auth: 'agent',
  headers: IDEMPOTENCY_KEY,
  body: CreateCompetition,
  answers: { 201: Competition },
  errors: { 409: [Detail.tooManyCompetitions, Detail.keyReused], 429: [Detail.competitionsToday] },
  limit: perMinute(20, 'key'),
});

export const getCompetition = route({
  id: 'getCompetition',
  method: 'GET',
  path: '/api/competitions/{competition_id}',
  tag: COMPETITIONS_TAG,
  summary: 'One competition, for its organizer and whoever takes part',
  auth: 'agent',
  params: CompetitionPath,
  answers: { 200: Competition },
  errors: { 404: [Detail.competitionNotFound] },
});

/** What every change by the organizer may be answered with. */
const ORGANIZER = {
  403: [Detail.organizerOnly],
  404: [Detail.competitionNotFound],
  412: [Detail.staleVersion],
} as const;

export const updateCompetition = route({
  id: 'updateCompetition',
  method: 'PATCH',
  path: '/api/competitions/{competition_id}',
  tag: COMPETITIONS_TAG,
  summary: 'Changes what is given, as far as it may change yet',
  description:
    'Rules of play may change until somebody has accepted them; the cap, the deadline and the start until play starts; the end until it has come; texts until all is over.',
  auth: 'agent',
  headers: { ...IF_MATCH, ...IDEMPOTENCY_KEY },
  params: CompetitionPath,
  body: UpdateCompetition,
  answers: { 200: Competition },
  errors: { ...ORGANIZER, 409: [Detail.rulesAccepted, notFrom('change ends_at', 'finalized'), Detail.keyReused] },
});

/** The endpoint of a step of the life. */
const step = <const Id extends string, const Path extends string>(
  id: Id,
  path: Path,
  summary: string,
  conflicts: readonly string[],
) =>
  route({
    id,
    method: 'POST',
    path: `/api/competitions/{competition_id}/${path}`,
    tag: COMPETITIONS_TAG,
    summary,
    auth: 'agent',
    headers: { ...IF_MATCH, ...IDEMPOTENCY_KEY },
    params: CompetitionPath,
    answers: { 200: Competition },
    errors: { ...ORGANIZER, 409: [...conflicts, Detail.keyReused] },
  } satisfies RouteSpec);

export const openEnrollment = step('openEnrollment', 'open-enrollment', 'People may be invited and enroll', [
  notFrom('open_enrollment', 'active'),
  Detail.deadlinePassed,
]);
export const closeEnrollment = step('closeEnrollment', 'close-enrollment', 'Nobody enrolls any more', [
  notFrom('close_enrollment', 'draft'),
]);
export const startCompetition = step('startCompetition', 'start', 'Play begins; enrollment is closed by it', [
  notFrom('start', 'draft'),
]);
export const pauseCompetition = step('pauseCompetition', 'pause', 'No new hands; those in progress are played out', [
  notFrom('pause', 'draft'),
]);
export const resumeCompetition = step('resumeCompetition', 'resume', 'Play goes on', [notFrom('resume', 'active')]);
export const endCompetition = step(
  'endCompetition',
  'end',
  'Play ends: hands in progress are played out, then tables close and the standings are taken down',
  [notFrom('end', 'draft')],
);
export const cancelCompetition = step('cancelCompetition', 'cancel', 'Calls it off, before play has begun', [
  notFrom('cancel', 'active'),
]);
export const finalizeCompetition = step('finalizeCompetition', 'finalize', 'Makes the results final', [
  notFrom('finalize', 'ending'),
]);

export const getCompetitionAudit = route({
  id: 'getCompetitionAudit',
  method: 'GET',
  path: '/api/competitions/{competition_id}/audit',
  tag: COMPETITIONS_TAG,
  summary: 'Who did what to the competition and its people, latest first; for the organizer',
  auth: 'agent',
  params: CompetitionPath,
  query: Page,
  answers: { 200: AuditEntries },
  errors: { 403: [Detail.organizerOnly], 404: [Detail.competitionNotFound] },
});
