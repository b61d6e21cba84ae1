import type * as real from '../../../src/metrics/page.js';

/** src/metrics/page.ts without its listener. */
const none = (): never => {
  throw new Error('the simulation serves no metrics');
};

export const metricsPage: typeof real.metricsPage = none;
export const serveMetrics: typeof real.serveMetrics = none;
