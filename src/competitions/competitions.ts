import type { EmailQuota } from '../email/index.js';
import type { PoolFile } from '../history/index.js';
import type { Clock, LobbyControl, LobbyLog } from '../lobby/index.js';
import type { Config } from '../ops/settings.js';
import { announceToNobody, type Announce } from '../ops/notices.js';
import type { Part } from '../platform/parts.js';
import { type Route, defineRoute } from '../protocol/route.js';
import { type Database, codeOf } from '../store/database.js';
import type { Leadership } from '../store/node/leadership.js';
import { coOrganizerRoutes } from './people/co-organizers.js';
import { CompetitionScheduler } from './life/scheduler.js';
import { CompetitionPlay } from './play/competition-play.js';
import { Director } from './play/director.js';
import { DuplicateScores } from './results/duplicate.js';
import { handRoutes } from './results/hand-routes.js';
import { organizes, findCompetition } from './guard.js';
import { selectSeen, dropHands, holdUnplayed, selectUnplayed } from './queries.js';
import type { LivePools } from './play/live-pools.js';
import { Organizer } from './life/organizer.js';
import { claimOlder } from './people/names.js';
import { createPeople } from './people/routes.js';
import type { Views } from './results/public-page.js';
import { takesPart } from './play/queries.js';
import { resultRoutes } from './results/routes.js';
import { competitionRoutes } from './life/routes.js';
import { LOCK_NOT_AVAILABLE } from '../store/sqlstate.js';
import { isPlaying } from './states.js';
import { Detail, HttpError, notFrom, participantIs } from '../protocol/rest/errors.js';
import { rebuyRefusal, type Rebuys } from '../rebuys/index.js';
import { rebuyInCompetition } from '../protocol/rest/competition-people/participants.js';

export interface RebuyRouteOptions {
  sql: Database;
  rebuys: Pick<Rebuys, 'request'>;
  lobby: Pick<LobbyControl, 'notify'>;
}

/** A rebuy by REST: what the season's is, by the rules of the competition. */
function rebuyRoute({ sql, rebuys, lobby }: RebuyRouteOptions): Route {
  return defineRoute(rebuyInCompetition)(async ({ agent: { agentId }, params: { competition_id: competitionId } }) => {
    const record = await findCompetition(sql, { competitionId, agentId, allow: 'participant' });
    const { participation, state, rebuys_enabled: enabled, rebuy_cooldown_seconds: cooldown } = record;
    if (participation === null) throw new HttpError(404, Detail.participantNotFound);
    if (participation !== 'enrolled') throw new HttpError(409, participantIs('rebuy', participation));
    if (!isPlaying(state)) throw new HttpError(409, notFrom('rebuy', state));
    if (!enabled) throw new HttpError(400, Detail.noRebuysHere);
    const result = await rebuys.request(competitionId, agentId);
    if (result.kind !== 'granted') {
      throw rebuyRefusal(result, {
        // It ended, or began to be played, while we looked.
        not_open: () => new HttpError(409, notFrom('rebuy', state)),
        not_registered: () => new HttpError(404, Detail.participantNotFound),
      });
    }
    // The bot's own socket may be waiting for exactly this.
    lobby.notify(agentId, result.message, competitionId);
    const { chip_balance: balance, rebuys: used } = result.standing;
    return { status: 200, body: { chip_balance: balance, rebuys: used, cooldown_seconds: cooldown } };
  });
}

const WAIT_MS = 1000;

interface UnplayedOptions {
  sql: Database;
  leadership: Leadership;
  log: LobbyLog;
}

/**
 * Drops the room for hands of competitions that are not played, which older releases made for every draft. Call it
 * before anything starts to play. A drop waits for every reader of hands, such as a dump, and all others wait behind
 * the drop. So it waits only for a short time, and the rest is dropped at the next start. One at a time, since each
 * takes a dozen locks until it is committed.
 */
export async function dropUnplayed({ sql, leadership, log }: UnplayedOptions): Promise<void> {
  const unplayed = await selectUnplayed(sql);
  for (const [done, id] of unplayed.entries()) {
    try {
      await leadership.transaction(sql, async (tx) => {
        if (await holdUnplayed(tx, id)) await dropHands(tx, id, WAIT_MS);
      });
    } catch (error) {
      if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error;
      const left = unplayed.length - done;
      return log.warn(
        { left },
        'empty partitions of competitions are dropped at the next start, because hands are being read',
      );
    }
  }
  if (unplayed.length > 0) log.info({ dropped: unplayed.length }, 'empty partitions of competitions were dropped');
}

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
    | 'COMPETITIONS_AT_ONCE'
    | 'COMPETITIONS_A_DAY'
    | 'COMPETITION_MIN_BETWEEN_HANDS_MS'
    | 'COMPETITION_MAX_HANDS'
    | 'SPECTATE_DELAY_HANDS'
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
    sql: background,
    leadership,
    director,
    clock,
    log,
    announce,
    mostHands: config.COMPETITION_MAX_HANDS,
  });
  const limits = { atOnce: config.COMPETITIONS_AT_ONCE, aDay: config.COMPETITIONS_A_DAY };
  /** `surely`: the change is committed, else the database went away at the wrong moment. */
  const heard = async (competitionId: string, surely = true) => {
    try {
      if (surely) await director.obey(competitionId);
      else scheduler.recheck(competitionId);
    } catch (error) {
      // The change is committed. The tables get it once the database is back.
      log.warn({ competition_id: competitionId, err: error }, 'the tables of a competition get the change later');
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
    sql,
    clock,
    limits,
    changed,
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
    ...handRoutes({ sql, poolFile, delayHands: config.SPECTATE_DELAY_HANDS }),
  ];
  return {
    /** For the lobby. */
    play,
    routes,
    /** Whether the agent takes part (or did), or organizes. */
    async takesPart(agentId: string, competitionId: string): Promise<boolean> {
      const seen = await selectSeen(sql, competitionId, agentId);
      return seen !== undefined && (seen.participation !== null || organizes(seen, agentId));
    },
    /** Call it before the stored tables are opened again: tables of a competition that has stopped do not deal. */
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
