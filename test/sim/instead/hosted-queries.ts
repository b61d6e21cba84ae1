import type * as real from '../../../src/hosted/queries.js';
import { Broken } from '../broken.js';

/** src/hosted/queries.ts: nobody has a bot of ours run here. */
const unused = (): never => {
  throw new Broken('nobody deploys a bot in the simulation');
};

export const selectHosted: typeof real.selectHosted = async () => [];
export const selectBot: typeof real.selectBot = unused;
export const upsertStrategy: typeof real.upsertStrategy = unused;
export const upsertDeployment: typeof real.upsertDeployment = unused;
export const updateLastError: typeof real.updateLastError = unused;
