import { SEASON_BUY_IN, type Clock, type Floor, type LobbyLog } from '../lobby/index.js';
import type { Route } from '../protocol/route.js';
import { Rebuys } from '../rebuys/index.js';
import type { Database } from '../store/database.js';
import { Board } from './board.js';
import { Desk } from './desk.js';
import { EndingSoon } from './ending-soon.js';
import { Entries } from './entries.js';
import { Passes } from './pass.js';
import { seasonRebuys } from './rebuy-pool.js';
import { seasonRoutes } from './routes.js';
import { seasonRules, type SeasonSettings } from './rules.js';
import { SeasonClock } from './season-clock.js';

export interface SeasonsOptions {
  sql: Database;
  config: SeasonSettings;
  floor: Floor;
  clock: Clock;
  log: LobbyLog;
}

/** Seasons, entries and rebuys, built on the lobby's floor. */
export function createSeasons({ sql, config, floor, clock, log }: SeasonsOptions) {
  const rules = seasonRules(config, SEASON_BUY_IN.minimum);
  const season = new SeasonClock({ sql, rules, floor, clock, log });
  const entries = new Entries(sql, season, rules);
  const endingSoon = new EndingSoon({ sql, rules, season, clock, log });
  const pools = seasonRebuys(season, rules);
  const rebuys = new Rebuys({ sql, pools, scopeOf: () => null, floor, clock, log });
  season.onOpened(() => rebuys.refresh());
  const desk = new Desk({ sql, season, entries, rebuys });
  const passes = new Passes({ sql, priceCents: config.SEASON_PASS_CENTS, season, floor });
  const board = new Board({ sql, season, rules, refreshMs: config.LEADERBOARD_REFRESH_MS, log });
  const routes: Route[] = seasonRoutes({
    ...{ sql, rules, season, entries, rebuys, passes, board, desk, floor },
    now: () => clock.now(),
  });
  return {
    /** For the lobby. */
    desk,
    routes,
    season,
    /** Makes sure that a season is active and starts the clocks. Call it once the stored tables are open again. */
    async start(): Promise<void> {
      await season.start();
      endingSoon.plan();
      await rebuys.recover();
      await board.start();
    },
    stop(): void {
      season.stop();
      endingSoon.stop();
      rebuys.stop();
      board.stop();
    },
  };
}

export { isPro } from './pass-queries.js';
export type { SeasonRules, SeasonSettings } from './rules.js';
export type { ActiveSeason } from './season-clock.js';
