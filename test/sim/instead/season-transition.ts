import type * as real from '../../../src/seasons/transition.js';
import { UNIQUE_VIOLATION } from '../../../src/store/sqlstate.js';
import * as seasons from '../vault/seasons.js';
import { led } from './led.js';
import { rowOf } from './season-queries.js';

/** src/seasons/transition.ts: the one transaction is one step of the vault. */
export const rollOver: typeof real.rollOver = (sql, leadership, ending, next) =>
  led(sql, leadership, (vault) => {
    const season = seasons.rollOver(vault, ending, next);
    if (season === undefined) throw Object.assign(new Error('somebody is still seated'), { code: 'AP001' });
    return rowOf(season);
  });

export const beginFirst: typeof real.beginFirst = (sql, leadership, { seasonId, start, end }) =>
  led(sql, leadership, (vault) => {
    const season = seasons.insertSeason(vault, seasonId, start.getTime(), end.getTime());
    if (season === undefined) throw Object.assign(new Error('simulated: unique violation'), { code: UNIQUE_VIOLATION });
    return rowOf(season);
  });
