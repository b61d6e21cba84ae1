import { Detail, HttpError } from '../protocol/rest/errors.js';
import { getSeasonChart, getSeasonStats } from '../protocol/rest/season-stats.js';
import { defineRoute, JsonText, type Route } from '../protocol/route.js';
import type { Database } from '../store/database.js';
import { selectEntry } from './entry-queries.js';
import type { SeasonRules } from './rules.js';
import type { Season } from './season.js';
import { selectChart, selectSeasonStats, type SeasonStatsRow } from './stats-queries.js';

/** Lets only so many at a time through, the others in turn: for what would keep the database from more urgent work. */
export class Lanes {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(lanes: number) {
    this.#free = lanes;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((go) => this.#waiting.push(go));
    try {
      return await work();
    } finally {
      // The lane is handed on, or free.
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}

export interface StatsRoutesOptions {
  sql: Database;
  rules: Pick<SeasonRules, 'rebuyPenalty'>;
  season: Pick<Season, 'current'>;
}

/** A chart of 100,000 hands takes the database a few tenths of a second. */
const CHARTS_AT_ONCE = 2;

/** An agent's results in its seasons: GET /season/stats and /season/chart-data. */
export function statsRoutes({ sql, rules, season }: StatsRoutesOptions): Route[] {
  const lanes = new Lanes(CHARTS_AT_ONCE);
  const current = () => {
    if (season.current === null) throw new HttpError(404, Detail.noActiveSeason);
    return season.current;
  };
  return [
    defineRoute(getSeasonStats)(async ({ agent }) => {
      const { number } = current();
      const all = await selectSeasonStats(sql, agent.agentId, rules.rebuyPenalty);
      const now = all.find((row) => row.season_number === number);
      if (now === undefined) throw new HttpError(404, Detail.notRegistered);
      if (!now.premium) return { status: 200, body: { current: statsBody(now), premium: false } };
      const sum = (of: (row: SeasonStatsRow) => number) => all.reduce((total, row) => total + of(row), 0);
      const hands = sum((row) => row.hands_played);
      return {
        status: 200,
        body: {
          current: statsBody(now),
          seasons: all.map(statsBody),
          lifetime_hands: hands,
          lifetime_win_rate: share(
            sum((row) => row.hands_won),
            hands,
          ),
          lifetime_net_chips: sum(netOf),
          premium: true,
        },
      };
    }),

    defineRoute(getSeasonChart)(async ({ agent }) => {
      const { seasonId } = current();
      const entry = await selectEntry(sql, seasonId, agent.agentId);
      if (entry === undefined) throw new HttpError(404, Detail.notRegistered);
      if (!entry.premium) throw new HttpError(403, Detail.premiumRequired);
      const { win_rates, profits } = await lanes.run(() => selectChart(sql, seasonId, agent.agentId));
      return { status: 200, body: new JsonText(`{"win_rate_series":${win_rates},"pnl_series":${profits}}`) };
    }),
  ];
}

const netOf = (row: SeasonStatsRow) => row.chips_won - row.chips_lost;

const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);

const statsBody = (row: SeasonStatsRow) => ({
  season_number: row.season_number,
  hands_played: row.hands_played,
  hands_won: row.hands_won,
  win_rate: share(row.hands_won, row.hands_played),
  total_chips_won: row.chips_won,
  total_chips_lost: row.chips_lost,
  net_chips: netOf(row),
  avg_profit_per_hand: share(netOf(row), row.hands_played),
  score: row.score,
});
