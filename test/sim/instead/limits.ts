import { memoryLimits, type createLimits as real } from '../../../src/gateway/limits.js';

/** src/gateway/limits.ts without a Redis: each node of a simulated world counts for itself. */
export { memoryLimits };
export const createLimits: typeof real = () => memoryLimits();
