import type { Part } from '../platform/parts.js';
import type { Route } from '../protocol/route.js';
import type { Database, DatabaseAddress } from '../store/database.js';
import { Analyst, type AnalystOptions } from './analyst.js';
import { pairRoutes } from './pairs/routes.js';
import { analyticsRoutes, type AnalyticsRoutesOptions } from './routes.js';

export interface AnalyticsOptions extends Pick<AnalyticsRoutesOptions, 'season'>, Omit<AnalystOptions, 'address'> {
  sql: Database;
  /** For the analytics thread's own connections. */
  address: DatabaseAddress;
}

/** The figures of an agent's play, from its hands. */
export function createAnalytics({ sql, season, ...options }: AnalyticsOptions): {
  routes: Route[];
  /** Counts for those who ask, at each node. */
  node: Part;
  /** Counts the hands of all agents. */
  lead: Part;
  /** Rates a pool. */
  rate: Analyst['rate'];
  /** Holds two agents against each other. */
  versus: Analyst['versus'];
} {
  const analyst = new Analyst(options);
  return {
    routes: [...analyticsRoutes({ sql, analyst, season }), ...pairRoutes({ sql, analyst, season })],
    node: { stop: () => analyst.stop() },
    lead: { start: () => analyst.start() },
    rate: (poolId) => analyst.rate(poolId),
    versus: (asked) => analyst.versus(asked),
  };
}

export { versusTogether } from './answer.js';
export { NO_ESTIMATES, share, type Estimates } from './figures.js';
export { publicFigures } from './public-figures.js';
export { selectEstimates } from './queries.js';
export { actionSummary } from './summary.js';
export type { HeadToHead, VersusAsked } from './versus.js';
