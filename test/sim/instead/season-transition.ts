import type * as real from '../../../src/seasons/transition.js';
import { machine } from '../machine/machine.js';
import * as seasons from '../vault/seasons.js';
import { rowOf } from './season-queries.js';

/** src/seasons/transition.ts: the one transaction is one step of the vault. */
export const rollOver: typeof real.rollOver = (sql, ending, next) =>
  machine().storage.statement(sql, (vault) => {
    const season = seasons.rollOver(vault, ending, next);
    if (season === undefined) throw Object.assign(new Error('somebody is still seated'), { code: 'AP001' });
    return rowOf(season);
  });
