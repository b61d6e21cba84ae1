import { SEASON_BUY_IN, type Clock, type LobbyControl, type LobbyLog } from '../lobby/index.js';
import { announceToNobody, type Announce } from '../ops/notices.js';
import type { Part } from '../platform/parts.js';
import type { Route } from '../protocol/route.js';
import type { PoolRatings } from '../ratings/index.js';
import { Rebuys, scoreOf } from '../rebuys/index.js';
import { retrying, type Database } from '../store/database.js';
import type { Leadership } from '../store/node/leadership.js';
import { Leaderboard } from './leaderboard.js';
import { SeasonPlay } from './season-play.js';
import { EndingSoon } from './ending-soon.js';
import { Entries } from './entries.js';
import { selectEntry } from './entry-queries.js';
import { Passes } from './pass.js';
import { PrizePayer } from './prizes.js';
import { seasonRebuys } from './rebuy-pool.js';
import { seasonRoutes } from './routes.js';
import { MINIMUM_HANDS, seasonRules, type SeasonSettings } from './rules.js';
import { SeasonClock } from './season-clock.js';
import { Season } from './season.js';

export interface SeasonsOptions {
  sql: Database;
  /** For what may take its time. */
  background: Database;
  leadership: Leadership;
  /** This process among all on the database. */
  nodeId: string;
  /** Tells the other nodes of a change; by default there are none. */
  announce?: Announce;
  config: SeasonSettings;
  lobby: LobbyControl;
  clock: Clock;
  log: LobbyLog;
  /** Nobody is rated without. */
  ratings?: Pick<PoolRatings, 'of'>;
}

/** An agent's part in a season, with its rank among all guests by score. */
export interface SeasonPlace {
  agentId: string;
  seasonId: string;
  number: number;
  rank: number;
  total: number;
  score: number;
  rebuys: number;
  premium: boolean;
  handsPlayed: number;
  handsWon: number;
}

/** Seasons, entries and rebuys, built on what the lobby does for features. */
export function createSeasons(options: SeasonsOptions) {
  const { sql, background, leadership, nodeId, announce = announceToNobody, config, lobby, clock, log } = options;
  const rules = seasonRules(config, SEASON_BUY_IN.minimum);
  const season = new Season({ sql: background, rules, lobby, clock, log });
  const seasonClock = new SeasonClock({ sql: background, leadership, rules, season, clock, log, announce });
  const entries = new Entries(sql, season, rules);
  const endingSoon = new EndingSoon({ sql: background, leadership, rules, season, clock, log });
  const prizes = new PrizePayer({ sql: background, leadership, season, clock, log });
  const pools = seasonRebuys(season, rules);
  const rebuys = new Rebuys({ sql, nodeId, pools, scopeOf: () => null, lobby, clock, log });
  season.onOpened(() => rebuys.refresh());
  const play = new SeasonPlay({ sql, season, entries, rebuys });
  const passes = new Passes({ sql, priceCents: config.SEASON_PASS_CENTS, season, lobby });
  const leaderboard = new Leaderboard({
    sql,
    background,
    season,
    rules,
    refreshMs: config.LEADERBOARD_REFRESH_MS,
    now: () => clock.now(),
    log,
    ...(options.ratings && { ratings: options.ratings }),
  });
  const routes: Route[] = seasonRoutes({
    sql,
    rules,
    season,
    entries,
    passes,
    leaderboard,
    play,
    lobby,
    now: () => clock.now(),
  });
  return {
    /** For the lobby. */
    play,
    routes,
    season,
    /** An agent's place in the season being played; null where it has none. */
    async placeOf(agentId: string): Promise<SeasonPlace | null> {
      const { current } = season;
      const entry = current && (await selectEntry(sql, current.seasonId, agentId));
      if (current === null || entry === null || entry === undefined) return null;
      const { rank, total } = await leaderboard.rankOf(entry);
      return {
        agentId,
        seasonId: current.seasonId,
        number: current.number,
        rank,
        total,
        score: scoreOf(entry, rules.rebuyPenalty),
        rebuys: entry.rebuys,
        premium: entry.premium,
        handsPlayed: entry.hands_played,
        handsWon: entry.hands_won,
      };
    },
    /** The first of the leaderboard. */
    leaders: (most: number) => leaderboard.page({ sortBy: 'score', minHands: MINIMUM_HANDS, limit: most, offset: 0 }),
    /** Follows the season that is stored, on each node. Start it once the stored tables are open again. */
    node: {
      async start(): Promise<void> {
        await retrying(() => season.look());
        await rebuys.recover();
        await leaderboard.start();
      },
      drain(): void {
        season.stop();
        rebuys.stop();
        leaderboard.stop();
      },
    } satisfies Part,
    /** The clocks: makes sure that a season is active, ends it in time, and pays prizes. */
    lead: {
      async start(): Promise<void> {
        await seasonClock.start();
        endingSoon.start();
        rebuys.lead();
        prizes.start();
      },
      drain(): void {
        seasonClock.stop();
        endingSoon.stop();
        prizes.stop();
      },
    } satisfies Part,
    awaitsRebuy: (agentId: string): boolean => rebuys.awaits(agentId),
    /** Reads what other nodes, or an operator, may have changed. */
    async refresh(): Promise<void> {
      await season.look();
      rebuys.refresh();
    },
    /** The stored phase of the season's pool may be another than the tables know. */
    phaseRefused(): void {
      season.look().catch((error: unknown) => log.warn({ err: error }, 'the season could not be read'));
    },
  };
}

export * as prizes from './prize-queries.js';
export { isPro } from './pass-queries.js';
export type { SeasonRules, SeasonSettings } from './rules.js';
export type { ActiveSeason } from './season.js';
