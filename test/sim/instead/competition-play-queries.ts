import type * as real from '../../../src/competitions/play-queries.js';

/** src/competitions/play-queries.ts of a platform where nobody plays any. */
export * from '../../../src/competitions/play-queries.js';

export const selectSeatedOthers: typeof real.selectSeatedOthers = () => Promise.resolve([]);
