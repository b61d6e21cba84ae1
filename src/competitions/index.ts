import type { EmailQuota } from '../email/index.js';
import type { PoolFile } from '../history/index.js';
import type { Clock, LobbyControl, LobbyLog, PoolRules } from '../lobby/index.js';
import type { Config } from '../ops/settings.js';
import { announceToNobody, type Announce } from '../ops/notices.js';
import type { Part } from '../platform/parts.js';
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
import { Organizer } from './life/organizer.js';
import { claimOlder } from './people/names.js';
import { createPeople } from './people/routes.js';
import { poolRules } from './play/pool-rules.js';
import type { Views } from './results/public-page.js';
import { takesPart } from './play/queries.js';
import { rebuyRoute } from './play/rebuy-route.js';
import { resultRoutes } from './results/routes.js';
import { competitionRoutes } from './life/routes.js';
import { dropUnplayed } from './life/unplayed.js';

export interface CompetitionsOptions {
  sql: Database;
  /** For what may take its time. */
  background: Database;
  leadership: Leadership;
  /** This process among all on the database. */
  nodeId: string;
  /** Tells the other nodes of a change; by default there are none. */
  announce?: Announce;
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
  const { nodeId, announce = announceToNobody, quota } = options;
  const director = new Director({ sql: background, pools, lobby });
  const play = new CompetitionPlay({ sql, nodeId, pools, lobby, clock, log });
  const scheduler = new CompetitionScheduler({
    ...{ sql: background, leadership, director, clock, log, announce },
    mostHands: config.COMPETITION_MAX_HANDS,
  });
  const limits = { atOnce: config.COMPETITIONS_AT_ONCE, aDay: config.COMPETITIONS_A_DAY };
  /** `surely`: the change is committed, else the database went away at the wrong moment. */
  const heard = async (competitionId: string, surely = true) => {
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
  const changed = async (competitionId: string, surely: boolean) => {
    void announce({ kind: 'competition_changed', competitionId });
    await heard(competitionId, surely);
  };
  const organizer = new Organizer({
    ...{ sql, clock, limits, changed },
    leastPauseMs: config.COMPETITION_MIN_BETWEEN_HANDS_MS,
  });
  const people = createPeople({ sql, lobby, announce, now: () => clock.now(), publicUrl, emailQueued, quota });
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
    /** Plays, admits and follows what is stored, on each node. Start it once the stored tables are open again. */
    node: {
      async start(): Promise<void> {
        await people.dismissOutsiders();
        await play.start();
      },
      drain: (): void => play.stop(),
    } satisfies Part,
    /** The clock: takes the steps that are due. */
    lead: {
      async start(): Promise<void> {
        await dropUnplayed({ sql: background, leadership, log });
        await claimOlder(background);
        await scheduler.start();
        play.rebuys.lead();
      },
      drain: (): void => scheduler.stop(),
    } satisfies Part,
    /** Another node has changed a competition; `dismissed` takes part in it no more. */
    async heard({ competitionId, dismissed }: { competitionId: string; dismissed?: string }): Promise<void> {
      if (dismissed === undefined) await heard(competitionId);
      else if (!(await takesPart(sql, competitionId, dismissed))) lobby.dismiss(dismissed, competitionId);
    },
    awaitsRebuy: (agentId: string): boolean => play.rebuys.awaits(agentId),
    /** Reads what other nodes, or an operator, may have changed. */
    async refresh(): Promise<void> {
      await director.refresh();
      void scheduler.wake();
      await people.dismissOutsiders();
      play.rebuys.refresh();
    },
    /** The stored phase of its pool may be another than the tables know: they hear of it. */
    phaseRefused(competitionId: string): void {
      void heard(competitionId);
    },
  };
}

/** How each pool is played: a competition by its own rules, with the least pause in ms; everything else as a season is. */
export function rulesOfPools(pools: LivePools, season: PoolRules, leastPauseMs: number): (poolId: string) => PoolRules {
  return (poolId) => {
    const pool = pools.last(poolId);
    return pool === undefined ? season : poolRules(pool, season, leastPauseMs);
  };
}

export { LivePools } from './play/live-pools.js';
export { operatorStep, selectOperated } from './life/operator.js';
export { renamed } from './people/names.js';
