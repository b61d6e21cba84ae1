import Type from 'typebox';
import { Exact, Name, Time, Uuid } from '../common.js';
import { AgentName } from './accounts.js';
import { IDEMPOTENCY_KEY, route } from '../route.js';
import { COMPETITIONS_TAG as tag, CompetitionPath } from './competition-record.js';
import { Detail } from './errors.js';

/** Co-organizers: agents that may do what the organizer may, but for naming others. */

/** The most of one competition. The SQL has the bound once more. */
export const MAX_CO_ORGANIZERS = 10;

const competition_id = '018f4e0b-3333-4d52-9d3f-2f6c1f0a9b33';
const agent_id = '018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b12';
const example = { competition_id, agent_id, name: 'bob_bot', added_at: '2026-11-21T12:00:00.000+00:00' };

export const CoOrganizer = Exact(
  { competition_id: Uuid, agent_id: Uuid, name: Name, added_at: Time },
  { title: 'CoOrganizer', examples: [example] },
);

export const CoOrganizers = Exact(
  {
    /** In the order of their coming. */
    co_organizers: Type.Array(CoOrganizer, { maxItems: MAX_CO_ORGANIZERS }),
    /** How many there may be. */
    maximum: Type.Literal(MAX_CO_ORGANIZERS),
  },
  { title: 'CoOrganizers', examples: [{ co_organizers: [example], maximum: MAX_CO_ORGANIZERS }] },
);

/** One of the two. */
export const AddCoOrganizer = Exact(
  { agent_id: Type.Optional(Uuid), name: Type.Optional(AgentName) },
  { title: 'AddCoOrganizer', examples: [{ name: 'bob_bot' }] },
);

const here = '/api/competitions/{competition_id}/co-organizers';

export const listCoOrganizers = route({
  id: 'listCoOrganizers',
  method: 'GET',
  path: here,
  tag,
  summary: 'The co-organizers, the earliest first. For the organizer and co-organizers',
  auth: 'owner',
  params: CompetitionPath,
  answers: { 200: CoOrganizers },
  errors: { 403: [Detail.organizerOnly], 404: [Detail.competitionNotFound] },
});

export const addCoOrganizer = route({
  id: 'addCoOrganizer',
  method: 'POST',
  path: here,
  tag,
  summary: 'Make another agent a co-organizer, by its id or its name',
  description: 'For the organizer alone.',
  auth: 'owner',
  headers: IDEMPOTENCY_KEY,
  params: CompetitionPath,
  body: AddCoOrganizer,
  answers: { 201: CoOrganizer },
  errors: {
    403: [Detail.organizerOnly, Detail.notCoOrganizers],
    404: [Detail.competitionNotFound, Detail.agentNotFound],
    409: [Detail.alreadyOrganizes, Detail.agentBanned, Detail.tooManyCoOrganizers, Detail.keyReused],
  },
});

export const removeCoOrganizer = route({
  id: 'removeCoOrganizer',
  method: 'DELETE',
  path: `${here}/{agent_id}`,
  tag,
  summary: 'End the rights of a co-organizer at once. It stays a participant',
  description: 'For the organizer, and for the co-organizer itself.',
  auth: 'owner',
  headers: IDEMPOTENCY_KEY,
  params: Type.Object({ competition_id: Uuid, agent_id: Uuid }),
  answers: { 200: CoOrganizer },
  errors: {
    403: [Detail.organizerOnly, Detail.notCoOrganizers],
    404: [Detail.competitionNotFound, Detail.coOrganizerNotFound],
    409: [Detail.keyReused],
  },
});
