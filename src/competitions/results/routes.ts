import { listPublicCompetitions } from '../../protocol/rest/competition-index.js';
import * as specs from '../../protocol/rest/competition-results.js';
import { HttpError, notFrom } from '../../protocol/rest/errors.js';
import { defineRoute, StreamBody, type Route } from '../../protocol/route.js';
import type { Database } from '../../store/database.js';
import type { DuplicateScores } from './duplicate.js';
import { findCompetition } from '../guard.js';
import { participantLive } from './participant-live.js';
import { PublicListing } from './listing.js';
import type { ListedStatus } from './listing-queries.js';
import { PublicPages, type Views } from './public-page.js';
import { Boards } from './results.js';
import { isClosed } from '../states.js';

export interface ResultRoutesOptions {
  sql: Database;
  views: Views;
  duplicates: DuplicateScores;
}

/** Standings, results, the own play and the public page. */
export function resultRoutes({ sql, views, duplicates }: ResultRoutesOptions): Route[] {
  const boards = new Boards(sql, duplicates);
  const pages = new PublicPages(sql, views, boards);
  const listing = new PublicListing(sql);
  /** For the organizer and participants. */
  const member = (params: { competition_id: string }, { agentId }: { agentId: string }) =>
    findCompetition(sql, { competitionId: params.competition_id, agentId, allow: 'participant' });
  const ended = async (...who: Parameters<typeof member>) => {
    const record = await member(...who);
    if (!isClosed(record.state)) throw new HttpError(409, notFrom('show results', record.state));
    return record;
  };
  return [
    ...[specs.getCompetitionLeaderboard, specs.getCompetitionStandings].map((spec) =>
      defineRoute(spec)(async ({ agent, params, query: { limit, offset } }) => ({
        status: 200,
        body: await boards.standings(await member(params, agent), { limit, offset }),
      })),
    ),

    defineRoute(specs.getCompetitionResults)(async ({ agent, params, query: { limit, offset } }) => ({
      status: 200,
      body: await boards.results(await ended(params, agent), { limit, offset }),
    })),

    defineRoute(specs.getCompetitionResultsFile)(async ({ agent, params }) => {
      const record = await ended(params, agent);
      const name = `results-${record.slug}.csv`;
      return { status: 200, body: new StreamBody(boards.csv(record), 'text/csv; charset=utf-8', name) };
    }),

    defineRoute(specs.getParticipantLive)(async ({ agent, params, query: { limit, offset } }) => {
      const id = params.competition_id;
      return { status: 200, body: await participantLive({ sql, views }, id, agent.agentId, { limit, offset }) };
    }),

    defineRoute(specs.getPublicCompetition)(async ({ params, query: { limit, offset } }) => ({
      status: 200,
      body: await pages.of(params.competition_slug, { limit, offset }),
    })),

    defineRoute(listPublicCompetitions)(async ({ query: { status, search = '', limit, offset } }) => ({
      status: 200,
      // One of these by the schema of the query.
      body: await listing.of({ status: status as ListedStatus, search, limit, offset }),
    })),
  ];
}
