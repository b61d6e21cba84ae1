import type * as real from '../../../src/competitions/queries.js';

/** src/competitions/queries.ts of a platform where nobody plays any. */
export * from '../../../src/competitions/queries.js';

export const selectLivePools: typeof real.selectLivePools = () => Promise.resolve([]);

export const selectVersions: typeof real.selectVersions = () => Promise.resolve([]);

export const selectDates: typeof real.selectDates = () => Promise.resolve([]);

export const selectUnplayed: typeof real.selectUnplayed = () => Promise.resolve([]);
