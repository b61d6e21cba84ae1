import type * as real from '../../../src/platform/node.js';

/** src/platform/node.ts, which nobody comes to: the simulated platform has no Redis, and is alone on its database. */
export const startNode: typeof real.startNode = () =>
  Promise.reject(new Error('the simulated platform is one process'));
