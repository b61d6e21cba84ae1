import type * as real from '../../../src/ops/metrics.js';

/** src/ops/metrics.ts without the registry: it measures the real process. */
export class Metrics {
  shard(): void {
    // Nobody scrapes a simulated platform.
  }

  frontThread(): void {
    // See shard.
  }

  answered(): void {
    // See shard.
  }
}

const none = (): never => {
  throw new Error('the simulation serves no metrics');
};

export const metricsPage: typeof real.metricsPage = none;
export const serveMetrics: typeof real.serveMetrics = none;
