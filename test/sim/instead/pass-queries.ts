import type * as real from '../../../src/seasons/pass-queries.js';
import { Broken } from '../broken.js';

/** src/seasons/pass-queries.ts: nobody buys a pass by REST here. */
const unused = (): never => {
  throw new Broken('nobody buys a pass in the simulation');
};

export const holdActiveSeason: typeof real.holdActiveSeason = unused;
export const updatePremium: typeof real.updatePremium = unused;
export const isPro: typeof real.isPro = unused;
