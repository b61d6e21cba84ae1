import type * as real from '../../../src/seasons/queries.js';
import { Broken } from '../broken.js';
import { led } from './led.js';
import { machine } from '../machine/machine.js';
import type { Season } from '../vault/rows.js';
import * as seasons from '../vault/seasons.js';
import type { Storage } from '../vault/storage.js';

/** src/seasons/queries.ts on the vault. */
const run: Storage['statement'] = (sql, effect) => machine().storage.statement(sql, effect);

export const rowOf = ({ seasonId, number, status, phase, start, end }: Season): real.ActiveSeasonRow => ({
  season_id: seasonId,
  season_number: number,
  status,
  phase,
  start_date: new Date(start),
  end_date: new Date(end),
});

export const selectActiveSeason: typeof real.selectActiveSeason = (sql) =>
  run(sql, (vault) => {
    const season = seasons.activeSeason(vault);
    return season === undefined ? undefined : rowOf(season);
  });

export { isLater } from '../../../src/seasons/queries.js';

export const setSeasonPhase: typeof real.setSeasonPhase = (sql, leadership, seasonId, phase) =>
  led(sql, leadership, (vault) => seasons.setPhase(vault, seasonId, phase));

const none = (): never => {
  throw new Broken('a part of a statement is of no use in the simulation');
};
export const insertSeason: typeof real.insertSeason = none;
export const activeSeason: typeof real.activeSeason = none;
export const orderByScore: typeof real.orderByScore = none;

/** No luck is measured in the simulation. */
const recorded = (season: Parameters<typeof rowOf>[0]) => ({ ...rowOf(season), value_function_sha256: null });

export const selectSeasons: typeof real.selectSeasons = (sql) =>
  run(sql, (vault) => vault.seasons.map(recorded).reverse().slice(0, 20));

export const selectSeason: typeof real.selectSeason = (sql, seasonId) =>
  run(sql, (vault) => {
    const season = vault.seasons.find((each) => each.seasonId === seasonId);
    return season === undefined ? undefined : recorded(season);
  });
