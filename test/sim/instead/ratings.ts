import type * as real from '../../../src/ratings/index.js';
import { PoolRatings } from '../../../src/ratings/pool-ratings.js';

export { finished } from '../../../src/ratings/finished.js';
export { flowsOf } from '../../../src/ratings/flows.js';
export { ratePool } from '../../../src/ratings/job.js';
export { UNRATED } from '../../../src/ratings/pool-ratings.js';
export { addRatings, selectBotVersions, versionAt } from '../../../src/ratings/queries.js';

/** src/ratings/index.ts for bots that tell no version, in a store without ratings. */
export const createRatings: typeof real.createRatings = (options) => ({
  ratings: new PoolRatings(options),
  routes: [],
  versions: { joined: () => Promise.resolve() },
});
