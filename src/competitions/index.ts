import type { Clock, Floor, LobbyLog, PoolRules } from '../lobby/index.js';
import type { Config } from '../ops/settings.js';
import type { Route } from '../protocol/route.js';
import type { Database } from '../store/database.js';
import { CompetitionClock } from './competition-clock.js';
import { PoolDesk } from './desk.js';
import { Director } from './director.js';
import { DuplicateScores } from './duplicate.js';
import { invitePages } from './invite-page.js';
import type { LivePools } from './live-pools.js';
import { Organizer } from './organizer.js';
import { createPeople } from './people-routes.js';
import { poolRules } from './pool-rules.js';
import type { Views } from './public-page.js';
import { resultRoutes } from './result-routes.js';
import { competitionRoutes } from './routes.js';

export interface CompetitionsOptions {
  sql: Database;
  config: Pick<Config, 'COMPETITIONS_AT_ONCE' | 'COMPETITIONS_A_DAY'>;
  /** Loaded. */
  pools: LivePools;
  floor: Floor;
  clock: Clock;
  log: LobbyLog;
  views: Views;
  /** Our address as people reach it, without a slash at the end. */
  publicUrl: () => string;
  /** There are mails to be sent. */
  mailed: () => void;
}

/** How old a comparison of all hands may be. */
const DUPLICATES_KEPT_MS = 60_000;

/** Private pools with rules, people and a life of their own. */
export function createCompetitions(options: CompetitionsOptions) {
  const { sql, config, pools, floor, clock, log, views, publicUrl, mailed } = options;
  const director = new Director({ pools, floor });
  const desk = new PoolDesk({ sql, pools, floor, clock, log });
  const time = new CompetitionClock({ sql, director, floor, clock, log });
  const limits = { atOnce: config.COMPETITIONS_AT_ONCE, aDay: config.COMPETITIONS_A_DAY };
  const changed = async (competitionId: string, surely: boolean) => {
    try {
      if (surely) await director.obey(competitionId);
      else time.recheck(competitionId);
    } catch (error) {
      // What is committed stands: the tables hear of it once the database is back.
      log.warn({ competition_id: competitionId, err: error }, 'the tables of a competition are told later');
      time.recheck(competitionId);
    }
    // Tables that close may take their time: nobody waits for them here.
    void time.wake();
  };
  const organizer = new Organizer({ sql, clock, limits, changed });
  const people = createPeople({ sql, floor, now: () => clock.now(), publicUrl, mailed });
  const duplicates = new DuplicateScores(sql, DUPLICATES_KEPT_MS);
  const routes: Route[] = [
    ...competitionRoutes({ sql, organizer, limits }),
    ...people.routes,
    ...resultRoutes({ sql, views, duplicates }),
  ];
  return {
    /** For the lobby. */
    desk,
    routes,
    pages: invitePages,
    /** Before the stored tables are opened again: those whose play is not to go on do not deal. */
    prepare(): void {
      director.recover();
    },
    /** Goes on where the last process stopped. Call it once the stored tables are open again. */
    async start(): Promise<void> {
      await people.start();
      await time.start();
      await desk.start();
    },
    stop(): void {
      time.stop();
      desk.stop();
    },
  };
}

/** How each pool is played: a competition by its own rules, everything else as a season is. */
export function rulesOfPools(pools: LivePools, season: PoolRules): (poolId: string) => PoolRules {
  return (poolId) => {
    const pool = pools.of(poolId);
    return pool === undefined ? season : poolRules(pool, season);
  };
}

export { LivePools } from './live-pools.js';
