import type * as real from '../../../src/competitions/participant-queries.js';

/** src/competitions/participant-queries.ts of a platform where nobody plays any. */
export * from '../../../src/competitions/participant-queries.js';

export const selectSeatedOutsiders: typeof real.selectSeatedOutsiders = () => Promise.resolve([]);
