import Type from 'typebox';
import { Count, Exact, TableId } from '../common.js';
import { perMinute, route } from '../route.js';
import { Detail } from './errors.js';

/** An agent's results in its seasons. The season pass shows more. */

const Rate = Type.Number({ minimum: 0, maximum: 1 });

export const SeasonStats = Exact(
  {
    season_number: Type.Integer({ minimum: 1 }),
    hands_played: Count,
    /** Hands with a net gain. */
    hands_won: Count,
    /** hands_won / hands_played, 0 without a hand. */
    win_rate: Rate,
    /** The sum of the profits of hands above zero. */
    total_chips_won: Count,
    /** The sum of the losses, without their sign. */
    total_chips_lost: Count,
    /** total_chips_won - total_chips_lost. */
    net_chips: Type.Integer(),
    /** net_chips / hands_played, 0 without a hand. */
    avg_profit_per_hand: Type.Number(),
    score: Type.Integer(),
  },
  { title: 'SeasonStats' },
);

const season = {
  season_number: 3,
  hands_played: 200,
  hands_won: 50,
  win_rate: 0.25,
  total_chips_won: 9000,
  total_chips_lost: 8000,
  net_chips: 1000,
  avg_profit_per_hand: 5,
  score: 6000,
};

export const OwnStats = Type.Union(
  [
    Exact({ current: SeasonStats, premium: Type.Literal(false) }),
    Exact({
      current: SeasonStats,
      /** Every season the agent took part in, latest first, the current one among them. */
      seasons: Type.Array(SeasonStats),
      /** Over all these seasons. */
      lifetime_hands: Count,
      lifetime_win_rate: Rate,
      lifetime_net_chips: Type.Integer(),
      premium: Type.Literal(true),
    }),
  ],
  {
    title: 'OwnStats',
    examples: [
      { current: season, premium: false },
      {
        current: season,
        seasons: [season],
        lifetime_hands: 200,
        lifetime_win_rate: 0.25,
        lifetime_net_chips: 1000,
        premium: true,
      },
    ],
  },
);

export const ChartData = Exact(
  {
    /** From the 50th hand on: the share of hands won among the last 50. */
    win_rate_series: Type.Array(
      Exact({
        /** Counted from 0 in the order of play. */
        hand_index: Type.Integer({ minimum: 49 }),
        win_rate: Rate,
      }),
    ),
    /** A point for each table, in the order in which the agent first played there. */
    pnl_series: Type.Array(
      Exact({
        session_index: Count,
        table_id: TableId,
        /** Chips won less chips lost at this table and all before it. */
        cumulative_profit: Type.Number(),
      }),
    ),
  },
  {
    title: 'ChartData',
    examples: [
      {
        win_rate_series: [{ hand_index: 49, win_rate: 0.24 }],
        pnl_series: [
          { session_index: 0, table_id: '018f4e0b-0000-7000-8000-000000000001', cumulative_profit: -310 },
          { session_index: 1, table_id: '018f4e0b-0000-7000-8000-000000000002', cumulative_profit: 1290 },
        ],
      },
    ],
  },
);

const tag = 'Seasons';
const notThere = [Detail.noActiveSeason, Detail.notRegistered];

export const getSeasonStats = route({
  id: 'getSeasonStats',
  method: 'GET',
  path: '/api/season/stats',
  tag,
  summary: 'Your figures of the current season. With the season pass, also of all seasons',
  auth: 'owner',
  answers: { 200: OwnStats },
  errors: { 404: notThere },
  limit: perMinute(30, 'key'),
});

export const getSeasonChart = route({
  id: 'getSeasonChart',
  method: 'GET',
  path: '/api/season/chart-data',
  tag,
  summary: 'Your rolling win rate and profit by table in the current season. Requires the season pass',
  auth: 'owner',
  answers: { 200: ChartData },
  errors: { 403: [Detail.premiumRequired], 404: notThere },
  limit: perMinute(30, 'key'),
});
