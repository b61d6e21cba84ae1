import Type from 'typebox';
import { Count, Exact, Nullable, Offset, Time } from '../common.js';
import { IDEMPOTENCY_KEY, IF_MATCH, route, type RouteSpec } from '../route.js';
import { CreateCompetition, UpdateCompetition } from './competition-fields.js';
import {
  Competition,
  COMPETITIONS_TAG,
  CompetitionLimit,
  CompetitionPath,
  Competitions,
  CompetitionStatus,
} from './competition-record.js';
import { Detail, notFrom } from './errors.js';

/** Competitions, their life and what was done to them; docs/protocol.md tells of both. */

const FieldBounds = Exact(
  {
    type: Type.Enum(['string', 'integer', 'boolean', 'date-time', 'enum']),
    required: Type.Boolean(),
    /** The default of a missing field; null: none. */
    default: Nullable(Type.Union([Type.String(), Type.Integer(), Type.Boolean()])),
    /** The bounds of a number, or of a text's length in characters. */
    minimum: Nullable(Type.Integer()),
    maximum: Nullable(Type.Integer()),
    /** The values of an enum. */
    values: Type.Optional(Type.Array(Type.String())),
  },
  { title: 'FieldBounds' },
);

export const CompetitionMetadata = Exact(
  {
    /** By field of a create request. */
    fields: Type.Record(Type.String(), FieldBounds),
    statuses: Type.Array(CompetitionStatus),
    /** The steps between the states. */
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
        /** The action: the name of the endpoint. */
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
  inMemory: true,
  method: 'GET',
  path: '/api/competitions/metadata',
  tag: COMPETITIONS_TAG,
  summary: 'Bounds and defaults of the fields of a competition',
  auth: 'none',
  answers: { 200: CompetitionMetadata },
});

export const listCompetitions = route({
  id: 'listCompetitions',
  method: 'GET',
  path: '/api/competitions',
  tag: COMPETITIONS_TAG,
  summary: 'The competitions that the caller organizes or takes part in, the newest first',
  auth: 'owner',
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
  summary: 'Create a competition as a draft. The caller is its organizer',
  auth: 'owner',
  headers: IDEMPOTENCY_KEY,
  body: CreateCompetition,
  answers: { 201: Competition },
  errors: { 409: [Detail.tooManyCompetitions, Detail.keyReused], 429: [Detail.competitionsToday] },
});

export const getCompetition = route({
  id: 'getCompetition',
  method: 'GET',
  path: '/api/competitions/{competition_id}',
  tag: COMPETITIONS_TAG,
  summary: 'One competition, for organizers and participants',
  auth: 'owner',
  params: CompetitionPath,
  answers: { 200: Competition },
  errors: { 404: [Detail.competitionNotFound] },
});

/** The possible errors of every change by the organizer. */
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
  summary: 'Change a competition',
  description:
    'Rules of play may change until the first acceptance. The cap, the deadline, the start and `join_requests` may change until play starts. The end may change until it has come. Texts may change until the competition is final or cancelled.',
  auth: 'owner',
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
    auth: 'owner',
    headers: { ...IF_MATCH, ...IDEMPOTENCY_KEY },
    params: CompetitionPath,
    answers: { 200: Competition },
    errors: { ...ORGANIZER, 409: [...conflicts, Detail.keyReused] },
  } satisfies RouteSpec);

export const openEnrollment = step(
  'openEnrollment',
  'open-enrollment',
  'Open enrollment. People may be invited and enroll',
  [notFrom('open_enrollment', 'active'), Detail.deadlinePassed],
);
export const closeEnrollment = step('closeEnrollment', 'close-enrollment', 'Enrollment ends', [
  notFrom('close_enrollment', 'draft'),
]);
export const startCompetition = step('startCompetition', 'start', 'Start play. Enrollment closes', [
  notFrom('start', 'draft'),
]);
export const pauseCompetition = step(
  'pauseCompetition',
  'pause',
  'Start no new hands. Hands in progress are played out',
  [notFrom('pause', 'draft')],
);
export const resumeCompetition = step('resumeCompetition', 'resume', 'Resume play', [notFrom('resume', 'active')]);
export const endCompetition = step(
  'endCompetition',
  'end',
  'End play. Hands in progress are played out, tables close, and the standings are recorded',
  [notFrom('end', 'draft')],
);
export const cancelCompetition = step('cancelCompetition', 'cancel', 'Cancel the competition before play begins', [
  notFrom('cancel', 'active'),
]);
export const finalizeCompetition = step('finalizeCompetition', 'finalize', 'Make the results final', [
  notFrom('finalize', 'ending'),
]);

export const getCompetitionAudit = route({
  id: 'getCompetitionAudit',
  method: 'GET',
  path: '/api/competitions/{competition_id}/audit',
  tag: COMPETITIONS_TAG,
  summary: 'All acts on the competition and its people, each with its actor, the newest first. For organizers',
  auth: 'owner',
  params: CompetitionPath,
  query: Page,
  answers: { 200: AuditEntries },
  errors: { 403: [Detail.organizerOnly], 404: [Detail.competitionNotFound] },
});
