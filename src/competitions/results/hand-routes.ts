import {
  ALL,
  opensCards,
  poolHand,
  poolHandsPage,
  spectatorSight,
  type PoolFile,
  type Sight,
} from '../../history/index.js';
import * as specs from '../../protocol/rest/competition-hands.js';
import { HttpError, notFrom } from '../../protocol/rest/errors.js';
import { defineRoute, type Route } from '../../protocol/route.js';
import type { Database } from '../../store/database.js';
import { findCompetition } from '../guard.js';
import type { CompetitionRecord } from '../record.js';
import { isClosed } from '../states.js';

export interface HandRoutesOptions {
  sql: Database;
  poolFile: PoolFile;
  /** Hands by which spectators are behind. */
  delayHands: number;
}

/**
 * The hands that an organizer sees. Organizers have friends who play. Before play is over they see only what a
 * spectator sees: of duplicates nothing (HttpError 409). After it they see everything.
 */
export function organizerSight(
  { state, duplicate, open_cards: openCards }: Pick<CompetitionRecord, 'state' | 'duplicate' | 'open_cards'>,
  delayHands: number,
): Sight {
  if (isClosed(state)) return ALL;
  if (duplicate) throw new HttpError(409, notFrom('show hands', state));
  // These lists have hands that spectators with a delay do not see yet. Folded cards stay closed there.
  return spectatorSight(delayHands === 0 && opensCards({ openCards, duplicate, state }));
}

/** The hands of a competition for its organizers: as a list, one by one, and as a file. */
export function handRoutes({ sql, poolFile, delayHands }: HandRoutesOptions): Route[] {
  const sightOf = async (competitionId: string, { agentId }: { agentId: string }) =>
    organizerSight(await findCompetition(sql, { competitionId, agentId }), delayHands);
  return [
    defineRoute(specs.listCompetitionHands)(async ({ agent, params: { competition_id: poolId }, query }) => ({
      status: 200,
      body: await poolHandsPage(sql, await sightOf(poolId, agent), { ...query, poolId }),
    })),

    defineRoute(specs.exportCompetitionHands)(async ({ agent, params: { competition_id: poolId }, query, signal }) => {
      const sight = await sightOf(poolId, agent);
      const { start_date: from, end_date: to, format, limit } = query;
      return { status: 200, body: poolFile(agent.agentId, sight, { poolId, from, to, format, limit }, signal) };
    }),

    defineRoute(specs.getCompetitionHand)(async ({ agent, params: { competition_id: poolId, hand_id: handId } }) => ({
      status: 200,
      body: await poolHand(sql, poolId, handId, await sightOf(poolId, agent)),
    })),
  ];
}
