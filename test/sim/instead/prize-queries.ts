import type * as real from '../../../src/seasons/prize-queries.js';

/** src/seasons/prize-queries.ts: prizes of the simulated seasons are paid with their end (vault/seasons.ts). */
export const payDuePrizes: typeof real.payDuePrizes = () => Promise.resolve(0);
export const nextPrizeMs: typeof real.nextPrizeMs = () => Promise.resolve(null);
export const selectPrizes: typeof real.selectPrizes = () => Promise.resolve([]);
