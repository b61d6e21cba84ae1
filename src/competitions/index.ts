import type { EmailQuota } from '../email/index.js';
import type { PoolFile } from '../history/index.js';
import type { Clock, LobbyControl, LobbyLog, PoolRules } from '../lobby/index.js';
import type { Config } from '../ops/settings.js';
import type { Route } from '../protocol/route.js';
import type { Database } from '../store/database.js';
import type { Leadership } from '../store/node/leadership.js';
import { coOrganizerRoutes } from './people/co-organizers.js';
import { CompetitionScheduler } from './life/scheduler.js';
import { CompetitionPlay } from './play/competition-play.js';
import { Director } from './play/director.js';
import { DuplicateScores } from './results/duplicate.js';
import { handRoutes } from './results/hand-routes.js';
import { invitePages } from './people/invite-page.js';
import { organizes } from './guard.js';
import { selectSeen } from './queries.js';
import type { LivePools } from './play/live-pools.js';
import { selectOver } from './life/operator.js';
import { Organizer } from './life/organizer.js';
import { createPeople } from './people/routes.js';
import { poolRules } from './play/pool-rules.js';
import type { Views } from './results/public-page.js';
import { rebuyRoute } from './play/rebuy-route.js';
import { resultRoutes } from './results/routes.js';
import { competitionRoutes } from './life/routes.js';
import { dropUnplayed } from './life/unplayed.js';

export interface CompetitionsOptions {
  sql: Database;
  /** For what may take its time. */
  background: Database;
  leadership: Leadership;
  config: Pick<
    Config,
    'COMPETITIONS_AT_ONCE' | 'COMPETITIONS_A_DAY' | 'COMPETITION_MIN_BETWEEN_HANDS_MS' | 'COMPETITION_MAX_HANDS'
  >;
  /** Loaded. */
  pools: LivePools;
  lobby: LobbyControl;
  clock: Clock;
  log: LobbyLog;
  views: Views;
  /** Hands as files. */
  poolFile: PoolFile;
  /** Our address as people reach it, without a slash at the end. */
  publicUrl: () => string;
  /** There are mails to be sent. */
  emailQueued: () => void;
  /** How many mails organizers may have sent. */
  quota: EmailQuota;
}

/** How old a comparison of all hands may be. */
const DUPLICATES_KEPT_MS = 60_000;

/** Private pools with rules, people and a life of their own. */
export function createCompetitions(options: CompetitionsOptions) {
  const { sql, background, leadership, config, pools, lobby, clock, log, views, poolFile, publicUrl, emailQueued } =
    options;
  const { quota } = options;
  const director = new Director({ pools, lobby });
  const play = new CompetitionPlay({ sql, leadership, pools, lobby, clock, log });
  const scheduler = new CompetitionScheduler({
    ...{ sql: background, leadership, director, lobby, clock, log },
    mostHands: config.COMPETITION_MAX_HANDS,
  });
  const limits = { atOnce: config.COMPETITIONS_AT_ONCE, aDay: config.COMPETITIONS_A_DAY };
  const changed = async (competitionId: string, surely: boolean) => {
    try {
      if (surely) await director.obey(competitionId);
      else scheduler.recheck(competitionId);
    } catch (error) {
      // What is committed stands: the tables hear of it once the database is back.
      log.warn({ competition_id: competitionId, err: error }, 'the tables of a competition hear of it later');
      scheduler.recheck(competitionId);
    }
    // Tables that close may take their time: nobody waits for them here.
    void scheduler.wake();
  };
  const organizer = new Organizer({
    ...{ sql, clock, limits, changed },
    leastPauseMs: config.COMPETITION_MIN_BETWEEN_HANDS_MS,
  });
  const people = createPeople({ sql, lobby, now: () => clock.now(), publicUrl, emailQueued, quota });
  const duplicates = new DuplicateScores(background, DUPLICATES_KEPT_MS);
  const routes: Route[] = [
    ...competitionRoutes({ sql, organizer, limits }),
    ...people.routes,
    ...coOrganizerRoutes({ sql, now: () => clock.now() }),
    rebuyRoute({ sql, rebuys: play.rebuys, lobby }),
    ...resultRoutes({ sql, views, duplicates }),
    ...handRoutes({ sql, poolFile }),
  ];
  return {
    /** For the lobby. */
    play,
    routes,
    pages: invitePages,
    /** Whether the agent takes part (or did), or organizes. */
    async takesPart(agentId: string, competitionId: string): Promise<boolean> {
      const seen = await selectSeen(sql, competitionId, agentId);
      return seen !== undefined && (seen.participation !== null || organizes(seen, agentId));
    },
    /** Before the stored tables are opened again: those whose play is not to go on do not deal. */
    prepare(): void {
      director.recover();
    },
    /** Goes on where the last process stopped. Call it once the stored tables are open again. */
    async start(): Promise<void> {
      await dropUnplayed({ sql: background, leadership, log });
      await people.start();
      await scheduler.start();
      await play.start();
    },
    /** An operator may have ended some beside us: their tables and those who wait hear of it. */
    async refresh(): Promise<void> {
      const live = [...pools.all()].map(({ competition_id: id }) => id);
      for (const id of live.length === 0 ? [] : await selectOver(sql, live)) await changed(id, true);
    },
    /** The stored phase of its pool may be another than the tables know: they hear of it. */
    phaseRefused(competitionId: string): void {
      void changed(competitionId, true);
    },
    stop(): void {
      scheduler.stop();
      play.stop();
    },
  };
}

/** How each pool is played: a competition by its own rules, with the least pause in ms; everything else as a season is. */
export function rulesOfPools(pools: LivePools, season: PoolRules, leastPauseMs: number): (poolId: string) => PoolRules {
  return (poolId) => {
    const pool = pools.of(poolId);
    return pool === undefined ? season : poolRules(pool, season, leastPauseMs);
  };
}

export { LivePools } from './play/live-pools.js';
export { operatorStep, selectOperated } from './life/operator.js';
export { renamed } from './people/names.js';
