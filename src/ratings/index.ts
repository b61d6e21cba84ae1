import type { Route } from '../protocol/route.js';
import type { Database } from '../store/database.js';
import { PoolRatings, type PoolRatingsOptions } from './pool-ratings.js';
import { insertVersion } from './queries.js';
import { ratingRoutes } from './routes.js';

export interface RatingsOptions extends PoolRatingsOptions {
  sql: Database;
  /** The season being played. */
  season(): { seasonId: string } | null;
}

/** Ratings of pools, and the versions of bots. */
export function createRatings({ sql, season, ...options }: RatingsOptions): {
  ratings: PoolRatings;
  routes: Route[];
  /** For the lobby: notes the version that a bot told. */
  versions: { joined(agentId: string, version: string | null): Promise<void> };
} {
  const ratings = new PoolRatings(options);
  return {
    ratings,
    routes: ratingRoutes({ ratings, season }),
    versions: { joined: (agentId, version) => insertVersion(sql, agentId, version ?? '') },
  };
}

export { finished } from './finished.js';
export { flowsOf, type RatedResult } from './flows.js';
export { ratePool, type PoolRated } from './job.js';
export { PRIOR_SPREAD, rate, rateAlone, type PairFlow, type RatedAgent, type RatedTotals } from './model.js';
export { UNRATED, type PoolRatings, type RatedStandings, type ShownRating } from './pool-ratings.js';
export { addRatings, selectBotVersions, versionAt } from './queries.js';
export type { CountedRatings, VersionChanges } from './queries.js';
export type { RatedHands } from './versions.js';
