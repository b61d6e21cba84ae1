import type * as real from '../../../src/competitions/people/participant-queries.js';

/** src/competitions/people/participant-queries.ts of a platform where nobody plays any. */
export * from '../../../src/competitions/people/participant-queries.js';

export const selectOutsiders: typeof real.selectOutsiders = () => Promise.resolve([]);

export const selectNameless: typeof real.selectNameless = () => Promise.resolve([]);
