import type { PublicOptions } from '../../src/public/index.js';

/** Options of the public routes for tests of neither seats nor places nor pairs of agents. */
export const PUBLIC_OPTIONS: Omit<PublicOptions, 'sql' | 'house'> = {
  views: { shownSeat: () => Promise.resolve(null) },
  placeOf: () => Promise.resolve(null),
  season: () => null,
  ratingOf: () => Promise.reject(new Error('not asked for here')),
  versus: () => Promise.reject(new Error('not asked for here')),
};
