import { utc } from '../../protocol/common.js';
import { COMPETITION_FIELDS, COMPETITION_STATES } from '../../protocol/rest/competition-fields.js';
import * as specs from '../../protocol/rest/competitions.js';
import { IDEMPOTENCY_HEADER } from '../../protocol/rest/credits.js';
import { defineRoute, type Route } from '../../protocol/route.js';
import type { Database } from '../../store/database.js';
import type { StoredAnswer } from '../../store/idempotency.js';
import { competitionBody } from '../body.js';
import { etag, findCompetition } from '../guard.js';
import type { CompetitionBody, Organizer } from './organizer.js';
import { selectAudit, selectOwn } from '../queries.js';
import { STEPS, type Step } from '../states.js';

export interface CompetitionRoutesOptions {
  sql: Database;
  organizer: Organizer;
  limits: { atOnce: number; aDay: number };
}

type StepSpec = typeof specs.openEnrollment;

/** The steps that have an endpoint. All alike, but for their names. */
const STEP_SPECS = [
  ['open_enrollment', specs.openEnrollment],
  ['close_enrollment', specs.closeEnrollment],
  ['start', specs.startCompetition],
  ['pause', specs.pauseCompetition],
  ['resume', specs.resumeCompetition],
  ['end', specs.endCompetition],
  ['cancel', specs.cancelCompetition],
  ['finalize', specs.finalizeCompetition],
] as const satisfies [Step, unknown][];

/** A competition's record: metadata, create, read, change, its life and its audit. */
export function competitionRoutes({ sql, organizer, limits }: CompetitionRoutesOptions): Route[] {
  return [
    defineRoute(specs.getCompetitionMetadata)(() => ({ status: 200, body: metadata(limits) })),

    defineRoute(specs.listCompetitions)(async ({ agent: { agentId }, query: { status, limit, offset } }) => {
      const { rows, total } = await selectOwn(sql, agentId, { status, limit, offset });
      const competitions = rows.map((row) => competitionBody(row, agentId));
      return { status: 200, body: { competitions, total, limit, offset } };
    }),

    defineRoute(specs.createCompetition)(async ({ agent, body, headers }) => {
      const answer = await organizer.create(agent.agentId, body, headers[IDEMPOTENCY_HEADER]);
      return { status: 201, ...tagged(answer) };
    }),

    defineRoute(specs.getCompetition)(async ({ agent: { agentId }, params }) => {
      const who = { competitionId: params.competition_id, agentId, allow: 'participant' } as const;
      const body = competitionBody(await findCompetition(sql, who), agentId);
      return { status: 200, ...tagged({ body }) };
    }),

    defineRoute(specs.updateCompetition)(async ({ agent, params, body, headers }) => {
      const answer = await organizer.update(askedBy(agent.agentId, params, headers), body);
      return { status: 200, ...tagged(answer) };
    }),

    ...STEP_SPECS.map(([step, spec]) =>
      defineRoute(spec as StepSpec)(async ({ agent, params, headers }) => {
        const answer = await organizer.step(askedBy(agent.agentId, params, headers), step);
        return { status: 200, ...tagged(answer) };
      }),
    ),

    defineRoute(specs.getCompetitionAudit)(async ({ agent, params, query: { limit, offset } }) => {
      const competitionId = params.competition_id;
      await findCompetition(sql, { competitionId, agentId: agent.agentId });
      const { rows, total } = await selectAudit(sql, competitionId, { limit, offset });
      const entries = rows.map((row) => ({ ...row, at: utc(row.at) }));
      return { status: 200, body: { entries, total, limit, offset } };
    }),
  ];
}

function askedBy(agentId: string, params: { competition_id: string }, headers: Readonly<Record<string, string>>) {
  return {
    competitionId: params.competition_id,
    agentId,
    ifMatch: headers['if-match'],
    key: headers[IDEMPOTENCY_HEADER],
  };
}

/** The body with its version as ETag. */
const tagged = ({ body }: Pick<StoredAnswer<CompetitionBody>, 'body'>) => ({
  body,
  headers: { etag: etag(body.version) },
});

function metadata({ atOnce, aDay }: CompetitionRoutesOptions['limits']) {
  const transitions = Object.entries(STEPS).map(([step, { from, to }]) => ({ step, from: [...from], to }));
  return {
    fields: COMPETITION_FIELDS,
    statuses: [...COMPETITION_STATES],
    transitions,
    competitions_at_once: atOnce,
    competitions_a_day: aDay,
  };
}
