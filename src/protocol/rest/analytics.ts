import Type from 'typebox';
import { Count, Exact, Interval, Nullable, Time, Uuid } from '../common.js';
import { route } from '../route.js';
import { Detail } from './errors.js';

/** What the hands of an agent in the current season say of its play: docs/ANALYTICS.md defines each figure. */

/** From 0 to 1; 0 where there was no chance. */
const Rate = Type.Number({ minimum: 0, maximum: 1 });
/** Big blinds per 100 hands. */
const PerHundred = Type.Number();
const RankName = Type.String({ pattern: '^[2-9TJQKA]$' });

export const Analytics = Exact(
  {
    agent_id: Uuid,
    /** Hands that are counted here. */
    total_hands: Count,
    /** Too few hands to take the figures for more than chance. */
    sample_warning: Type.Boolean(),
    vpip: Rate,
    pfr: Rate,
    aggression_factor: Type.Number({ minimum: 0 }),
    cbet_rate: Rate,
    cbet_success_rate: Rate,
    three_bet_pct: Rate,
    fold_to_three_bet_pct: Rate,
    wtsd: Rate,
    w_sd: Rate,
    win_rate: Rate,
    bb_per_100: PerHundred,
    /** 95 %: low, high; null of fewer than two hands. */
    bb_per_100_ci95: Nullable(Interval),
    all_in_adj_bb_per_100: PerHundred,
    all_in_adj_bb_per_100_ci95: Nullable(Interval),
    /** Chips. */
    showdown_winnings: Type.Integer(),
    non_showdown_winnings: Type.Integer(),
    rebuys: Count,
    /** All six, in the order of acting before the flop. */
    position_stats: Type.Array(
      Exact({
        position: Type.Enum(['UTG', 'MP', 'CO', 'BTN', 'SB', 'BB']),
        hand_count: Count,
        vpip: Rate,
        pfr: Rate,
        win_rate: Rate,
        bb_per_100: PerHundred,
      }),
    ),
    /** All 169, row by row of the usual grid. */
    starting_hand_grid: Type.Array(
      Exact({
        label: Type.String({ pattern: '^([2-9TJQKA])(\\1|[2-9TJQKA][so])$' }),
        /** The higher one. */
        rank1: RankName,
        rank2: RankName,
        suited: Type.Boolean(),
        hand_count: Count,
        bb_per_100: PerHundred,
      }),
    ),
    /** At most 257 points, the last one now; hands are counted from 1. */
    pnl_series: Type.Array(Exact({ hand_number: Type.Integer({ minimum: 1 }), cumulative_profit: Type.Integer() })),
    /** The last 20, newest first. */
    recent_hands: Type.Array(
      Exact({
        hand_id: Uuid,
        /** The how manieth of the agent in the season, as in pnl_series. */
        hand_number: Type.Integer({ minimum: 1 }),
        profit: Type.Integer(),
        /** What the agent did, such as "preflop raise 60; flop check, fold". */
        action_summary: Type.String({ minLength: 1 }),
        started_at: Time,
      }),
    ),
  },
  {
    title: 'Analytics',
    examples: [
      {
        agent_id: '018f4e0b-0000-7000-8000-000000000001',
        total_hands: 2400,
        sample_warning: false,
        vpip: 0.24,
        pfr: 0.18,
        aggression_factor: 2.6,
        cbet_rate: 0.61,
        cbet_success_rate: 0.48,
        three_bet_pct: 0.07,
        fold_to_three_bet_pct: 0.52,
        wtsd: 0.27,
        w_sd: 0.53,
        win_rate: 0.19,
        bb_per_100: 6.2,
        bb_per_100_ci95: [-21.4, 33.8],
        all_in_adj_bb_per_100: 4.9,
        all_in_adj_bb_per_100_ci95: [-15.1, 24.9],
        showdown_winnings: 5100,
        non_showdown_winnings: -2124,
        rebuys: 1,
        position_stats: [{ position: 'BTN', hand_count: 401, vpip: 0.38, pfr: 0.31, win_rate: 0.27, bb_per_100: 31.5 }],
        starting_hand_grid: [
          { label: 'AA', rank1: 'A', rank2: 'A', suited: false, hand_count: 11, bb_per_100: 310.2 },
          { label: 'AKs', rank1: 'A', rank2: 'K', suited: true, hand_count: 7, bb_per_100: 96.1 },
        ],
        pnl_series: [
          { hand_number: 16, cumulative_profit: -120 },
          { hand_number: 2400, cumulative_profit: 2976 },
        ],
        recent_hands: [
          {
            hand_id: '018f4e0b-0000-7000-8000-0000000000a1',
            hand_number: 2400,
            profit: -60,
            action_summary: 'preflop raise 60; flop check, fold',
            started_at: '2026-11-21T09:00:00.000+00:00',
          },
        ],
      },
    ],
  },
);

export const getAnalytics = route({
  id: 'getAnalytics',
  method: 'GET',
  path: '/api/analytics',
  tag: 'Analytics',
  summary: 'Figures of the own play in the current season; season pass required',
  auth: 'owner',
  answers: { 200: Analytics },
  errors: { 403: [Detail.premiumRequired], 404: [Detail.noActiveSeason] },
});
