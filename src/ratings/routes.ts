import { Detail, HttpError } from '../protocol/rest/errors.js';
import { listVersions } from '../protocol/rest/versions.js';
import { defineRoute, type Route } from '../protocol/route.js';
import type { PoolRatings } from './pool-ratings.js';

/** GET /api/me/versions. */
export function ratingRoutes({
  ratings,
  season,
}: {
  ratings: Pick<PoolRatings, 'of'>;
  season(): { seasonId: string } | null;
}): Route[] {
  return [
    defineRoute(listVersions)(async ({ agent: { agentId } }) => {
      const poolId = season()?.seasonId;
      if (poolId === undefined) throw new HttpError(404, Detail.noActiveSeason);
      const versions = (await ratings.of(poolId)).versionsOf(agentId);
      return { status: 200, body: { versions } };
    }),
  ];
}
