import { utc } from '../../protocol/common.js';
import * as specs from '../../protocol/rest/co-organizers.js';
import { IDEMPOTENCY_HEADER } from '../../protocol/rest/credits.js';
import { Detail, HttpError, invalidField } from '../../protocol/rest/errors.js';
import { defineRoute, type Route } from '../../protocol/route.js';
import type { Database } from '../../store/database.js';
import * as queries from './co-organizer-queries.js';
import type { CoOrganizerRow, NamedAgent } from './co-organizer-queries.js';
import { findCompetition, withCompetition } from '../guard.js';
import type { PeopleRequest } from './options.js';

export interface CoOrganizersOptions {
  sql: Database;
  /** Epoch ms. */
  now: () => number;
}

const body = (row: CoOrganizerRow) => ({
  competition_id: row.competition_id,
  agent_id: row.agent_id,
  name: row.name,
  added_at: utc(row.added_at),
});

/** Their rights are in competitions/guard.ts, which asks here with every request. */
class CoOrganizers {
  constructor(private readonly options: CoOrganizersOptions) {}

  async list(competitionId: string, agentId: string) {
    const { sql } = this.options;
    await findCompetition(sql, { competitionId, agentId });
    const rows = await queries.selectCoOrganizers(sql, competitionId);
    return { co_organizers: rows.map(body), maximum: specs.MAX_CO_ORGANIZERS } as const;
  }

  /** 404 for no agent's name, 409 for one that is banned or organizes already, or where there are enough. */
  async add(asked: PeopleRequest, named: NamedAgent) {
    const request = { ...asked, allow: 'principal', operation: 'addCoOrganizer', body: named } as const;
    const answer = await withCompetition(this.options.sql, request, async (tx, record) => {
      const { competition_id: competitionId } = record;
      const agent = await queries.selectNamedAgent(tx, named);
      if (agent === undefined) throw new HttpError(404, Detail.agentNotFound);
      const { agent_id: agentId, name, banned } = agent;
      if (banned) throw new HttpError(409, Detail.agentBanned);
      if (agentId === record.organizer_id) throw new HttpError(409, Detail.alreadyOrganizes);
      const now = new Date(this.options.now());
      const done = await queries.insertCoOrganizer(tx, competitionId, agentId, now);
      if (done === 'twice') throw new HttpError(409, Detail.alreadyOrganizes);
      if (done === 'full') throw new HttpError(409, Detail.tooManyCoOrganizers);
      const row = { competition_id: competitionId, agent_id: agentId, name, added_at: now };
      return { answer: body(row), status: 201, detail: { agent_id: agentId, name } };
    });
    return answer.body;
  }

  /** By the organizer, or by itself. */
  async remove(asked: PeopleRequest, agentId: string) {
    const allow = asked.agentId === agentId ? 'organizer' : 'principal';
    const request = { ...asked, allow, operation: 'removeCoOrganizer', body: { agentId } } as const;
    const answer = await withCompetition(this.options.sql, request, async (tx, record) => {
      const row = await queries.deleteCoOrganizer(tx, record.competition_id, agentId);
      if (row === undefined) throw new HttpError(404, Detail.coOrganizerNotFound);
      return { answer: body(row), detail: { agent_id: agentId, name: row.name } };
    });
    return answer.body;
  }
}

export function coOrganizerRoutes(options: CoOrganizersOptions): Route[] {
  const coOrganizers = new CoOrganizers(options);
  const asked = (competitionId: string, agentId: string, headers: Readonly<Record<string, string>>): PeopleRequest => ({
    competitionId,
    agentId,
    key: headers[IDEMPOTENCY_HEADER],
  });
  return [
    defineRoute(specs.listCoOrganizers)(async ({ agent, params }) => ({
      status: 200,
      body: await coOrganizers.list(params.competition_id, agent.agentId),
    })),

    defineRoute(specs.addCoOrganizer)(async ({ agent, params, body: { agent_id: agentId, name }, headers }) => {
      const named = agentId === undefined ? name !== undefined && { name } : name === undefined && { agentId };
      if (named === false) throw invalidField('agent_id', 'Give an agent_id or a name, one of the two', 'value_error');
      return { status: 201, body: await coOrganizers.add(asked(params.competition_id, agent.agentId, headers), named) };
    }),

    defineRoute(specs.removeCoOrganizer)(async ({ agent, params, headers }) => ({
      status: 200,
      body: await coOrganizers.remove(asked(params.competition_id, agent.agentId, headers), params.agent_id),
    })),
  ];
}
