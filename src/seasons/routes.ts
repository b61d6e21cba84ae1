import type { LobbyControl } from '../lobby/index.js';
import { utc, utcOrNull } from '../protocol/common.js';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import {
  buySeasonPass,
  getCurrentSeason,
  getLeaderboard,
  getSeason,
  getSeasonEntry,
  getSeasonStandings,
  listPrizes,
  listSeasons,
  rebuy,
  registerForSeason,
  updateSeasonEntry,
} from '../protocol/rest/seasons.js';
import { defineRoute, type Route } from '../protocol/route.js';
import { rebuyRefusal, scoreOf } from '../rebuys/index.js';
import type { Database } from '../store/database.js';
import type { Leaderboard } from './leaderboard.js';
import type { SeasonPlay } from './season-play.js';
import type { Entries } from './entries.js';
import { selectEntry, type EntryRow } from './entry-queries.js';
import { shareWon } from './order.js';
import { selectSeason, selectSeasons, type RecordedSeason } from './queries.js';
import type { PassResult, Passes } from './pass.js';
import { selectPrizes } from './prize-queries.js';
import { cooldownAfter, MINIMUM_HANDS, type SeasonRules } from './rules.js';
import type { ActiveSeason, Season } from './season.js';
import { selectSeasonStandings } from './standing-queries.js';
import { statsRoutes } from './stats-routes.js';

export interface SeasonRoutesOptions {
  sql: Database;
  rules: SeasonRules;
  season: Season;
  entries: Entries;
  passes: Passes;
  leaderboard: Leaderboard;
  play: SeasonPlay;
  lobby: Pick<LobbyControl, 'notify'>;
  now: () => number;
}

/** Everything under /api/season that this server answers. */
export function seasonRoutes(options: SeasonRoutesOptions): Route[] {
  return [...publicRoutes(options), ...entryRoutes(options), ...statsRoutes(options)];
}

function publicRoutes({ sql, season, leaderboard, now }: SeasonRoutesOptions): Route[] {
  return [
    defineRoute(getCurrentSeason)(async () => {
      const current = await active(season);
      return {
        status: 200,
        body: {
          season_id: current.seasonId,
          season_number: current.number,
          start_date: utc(current.startsAt),
          end_date: utc(current.endsAt),
          status: 'active',
          time_remaining_seconds: Math.max(0, (current.endsAt - now()) / 1000),
          winding_down: season.windingDown,
          total_registered: await leaderboard.total(),
        },
      };
    }),

    defineRoute(listSeasons)(async () => ({ status: 200, body: (await selectSeasons(sql)).map(seasonBody) })),

    defineRoute(getSeason)(async ({ params }) => {
      const row = await selectSeason(sql, params.season_id);
      if (row === undefined) throw new HttpError(404, Detail.seasonNotFound);
      return { status: 200, body: seasonBody(row) };
    }),

    defineRoute(getSeasonStandings)(async ({ params, query }) => {
      const rows = await selectSeasonStandings(sql, params.season_id, query);
      const body = rows.map((row) => ({ ...row, prize_held_until: utcOrNull(row.prize_held_until) }));
      if (body.length === 0 && (await selectSeason(sql, params.season_id)) === undefined) {
        throw new HttpError(404, Detail.seasonNotFound);
      }
      return { status: 200, body };
    }),

    defineRoute(getLeaderboard)(async ({ query }) => {
      const { sort_by: sortBy, limit, offset, search } = query;
      const minHands = Math.max(MINIMUM_HANDS, query.min_hands);
      const page = await leaderboard.page({ sortBy, minHands, limit, offset, search });
      const body = page.map((row) => ({
        rank: row.rank,
        bot_name: row.botName,
        public_profile_slug: row.slug,
        score: row.score,
        chip_balance: row.chipBalance,
        chips_at_table: row.chipsAtTable,
        rebuys: row.rebuys,
        hands_played: row.handsPlayed,
        hands_won: row.handsWon,
        win_rate: shareWon(row),
        premium: row.premium,
        banned: row.banned,
        ...row.estimates,
        all_in_adj_bb_per_100: row.estimates.bb_per_100_all_in_adjusted,
        ci95: row.estimates.bb_per_100_all_in_adjusted_ci95,
        ...row.rating,
        above_next: row.aboveNext,
        rank_hour_ago: row.past.hourAgo,
        rank_day_ago: row.past.dayAgo,
      }));
      return { status: 200, body };
    }),
  ];
}

function entryRoutes({ sql, rules, season, entries, passes, leaderboard, play, lobby }: SeasonRoutesOptions): Route[] {
  return [
    defineRoute(getSeasonEntry)(async ({ agent }) => {
      const entry = await selectEntry(sql, (await active(season)).seasonId, agent.agentId);
      if (entry === undefined) throw new HttpError(404, Detail.notRegistered);
      const body = entryBody(entry, rules);
      const { rank, total } = await leaderboard.rankOf(entry);
      return { status: 200, body: { ...body, rank, total_participants: total } };
    }),

    defineRoute(updateSeasonEntry)(async ({ agent: { agentId }, body }) => {
      if (body.auto_rebuy === undefined) {
        const entry = await selectEntry(sql, (await active(season)).seasonId, agentId);
        if (entry === undefined) throw new HttpError(404, Detail.notRegistered);
        return { status: 200, body: entryBody(entry, rules) };
      }
      const result = await play.changeAutoRebuy(agentId, body.auto_rebuy);
      if (result === 'no_active_season') throw new HttpError(404, Detail.noActiveSeason);
      if (result === 'not_registered_for_season') throw new HttpError(404, Detail.notRegistered);
      for (const message of result.messages) lobby.notify(agentId, message);
      return { status: 200, body: entryBody(result.entry, rules) };
    }),

    defineRoute(registerForSeason)(async ({ agent }) => {
      const entry = await entries.register(agent.agentId);
      if (entry === 'no_active_season') throw new HttpError(404, Detail.noActiveSeason);
      if (entry === 'already_registered') throw new HttpError(409, Detail.alreadyRegistered);
      return { status: 200, body: entryBody(entry, rules) };
    }),

    defineRoute(rebuy)(async ({ agent: { agentId } }) => {
      const result = await play.request(agentId);
      if (result.kind !== 'granted') throw rebuyRefusal(result, ABSENT);
      const { chip_balance: chipBalance, rebuys: used, premium } = result.standing;
      // The bot's own socket may be waiting for exactly this.
      lobby.notify(agentId, result.message);
      const cooldown = cooldownAfter(used, premium, rules);
      return { status: 200, body: { chip_balance: chipBalance, rebuys: used, cooldown_seconds: cooldown } };
    }),

    defineRoute(listPrizes)(async ({ agent }) => {
      const prizes = (await selectPrizes(sql, agent.agentId)).map(({ held_until, decided_at, ...prize }) => ({
        ...prize,
        held_until: utc(held_until),
        decided_at: utcOrNull(decided_at),
      }));
      return { status: 200, body: { prizes } };
    }),

    defineRoute(buySeasonPass)(async ({ agent }) => {
      const entry = await passes.buy(agent.agentId);
      if (typeof entry === 'string') throw passError(entry);
      return { status: 200, body: entryBody(entry, rules) };
    }),
  ];
}

/** Throws HttpError 404 without an active season. */
async function active(season: Season): Promise<ActiveSeason> {
  if (season.current === null) await season.look();
  if (season.current === null) throw new HttpError(404, Detail.noActiveSeason);
  return season.current;
}

const ABSENT = {
  not_open: () => new HttpError(404, Detail.noActiveSeason),
  not_registered: () => new HttpError(404, Detail.notRegistered),
};

function passError(result: Extract<PassResult, string>): HttpError {
  switch (result) {
    case 'no_active_season':
      return new HttpError(404, Detail.noActiveSeason);
    case 'not_registered':
      return new HttpError(404, Detail.notRegistered);
    case 'insufficient':
      return new HttpError(402, Detail.insufficientForPass);
  }
}

const seasonBody = (row: RecordedSeason) => ({
  season_id: row.season_id,
  season_number: row.season_number,
  status: row.status,
  start_date: utc(row.start_date),
  end_date: utc(row.end_date),
  value_function_sha256: row.value_function_sha256,
});

const entryBody = (row: EntryRow, rules: SeasonRules) => ({
  season_id: row.pool_id,
  agent_id: row.agent_id,
  chip_balance: row.chip_balance,
  chips_at_table: row.chips_at_table,
  rebuys: row.rebuys,
  hands_played: row.hands_played,
  hands_won: row.hands_won,
  premium: row.premium,
  auto_rebuy: row.auto_rebuy,
  score: scoreOf(row, rules.rebuyPenalty),
});
