import Type from 'typebox';
import { Count, Exact, PositionName, TableId, Time, Uuid } from '../common.js';
import { route } from '../route.js';
import { Detail } from './errors.js';
import { adjustedIntervalAlias, allInAdjusted, luckEstimates, rateInterval } from './estimates.js';

/** A share; 0 without a chance. */
const rate = (description?: string) => Type.Number({ minimum: 0, maximum: 1, ...(description && { description }) });
const perHundred = (description: string) => Type.Number({ description });
const chips = (description: string) => Type.Integer({ description });
const RankName = Type.String({ pattern: '^[2-9TJQKA]$' });

/**
 * How an agent plays, by the definitions of PokerTracker 4. A raise is a bet, a raise, or an all-in for more than a call.
 * A player may raise if the rules offered a raise or such an all-in.
 */
export const playRates = {
  vpip: rate('Hands with a call or a raise before the flop / hands. Unlike in PokerTracker, walks count as hands.'),
  pfr: rate('Hands with a raise before the flop / hands.'),
  three_bet_pct: rate(
    'Hands with a raise / hands in which the agent could raise after exactly one raise of another player, preflop.',
  ),
  fold_to_three_bet_pct: rate('Hands with a fold / hands with the first raise, then exactly one re-raise, preflop.'),
  cbet_rate: rate('Hands with a bet / hands with the last raise preflop and the chance to bet first on the flop.'),
  aggression_factor: Type.Number({
    minimum: 0,
    description: 'Raises after the flop / calls after the flop. Without a call the number of raises.',
  }),
  wtsd: rate('Showdowns / hands in which the agent saw the flop, also all-in.'),
  w_sd: rate('Showdowns with a part of a pot / showdowns.'),
};

export const Analytics = Exact(
  {
    agent_id: Uuid,
    total_hands: Type.Integer({
      minimum: 0,
      description: 'Hands that are counted so far: the sample of all estimates.',
    }),
    sample_warning: Type.Boolean({ description: 'Fewer than 1,000 hands: luck decides the figures.' }),
    ...playRates,
    cbet_success_rate: rate('The share of these bets after which all opponents folded at once.'),
    win_rate: rate('Hands with a net gain / hands.'),
    bb_per_100: perHundred('100 × the mean of the chips won in a hand, in big blinds.'),
    ...rateInterval,
    bb_per_100_all_in_adjusted: perHundred('The same with all-ins at what they were worth at the last decision.'),
    bb_per_100_all_in_adjusted_ci95: allInAdjusted.bb_per_100_all_in_adjusted_ci95,
    all_in_adj_bb_per_100: perHundred('Deprecated: the same as `bb_per_100_all_in_adjusted`.'),
    all_in_adj_bb_per_100_ci95: adjustedIntervalAlias,
    ...luckEstimates,
    showdown_winnings: chips('Profit of the hands that the agent showed down.'),
    non_showdown_winnings: chips('Profit of the other hands.'),
    rebuys: Type.Integer({ minimum: 0, description: 'Rebuys of the season.' }),
    position_stats: Type.Array(
      Exact({
        position: PositionName,
        hand_count: Count,
        vpip: rate(),
        pfr: rate(),
        win_rate: rate(),
        bb_per_100: Type.Number(),
        ...rateInterval,
      }),
      {
        description:
          'All six, in the order of preflop action. Tables with fewer players have no early positions. Heads-up has BTN and BB.',
      },
    ),
    starting_hand_grid: Type.Array(
      Exact({
        label: Type.String({ pattern: '^([2-9TJQKA])(\\1|[2-9TJQKA][so])$' }),
        /** The higher one. */
        rank1: RankName,
        rank2: RankName,
        suited: Type.Boolean(),
        hand_count: Count,
        bb_per_100: Type.Number(),
        ...rateInterval,
      }),
      { description: 'All 169, row by row from the aces. Pairs are on the diagonal, suited hands above it.' },
    ),
    starting_hand_groups: Type.Array(
      Exact({
        name: Type.String({ minLength: 1 }),
        labels: Type.Array(Type.String({ minLength: 2 }), { minItems: 1 }),
        hand_count: Count,
        bb_per_100: Type.Number(),
        ...rateInterval,
      }),
      { description: 'The same by kinds of hands, for small samples. Each of the 169 hands is in one group.' },
    ),
    pnl_series: Type.Array(Exact({ hand_number: Type.Integer({ minimum: 1 }), cumulative_profit: Type.Integer() }), {
      description: 'The profit so far, in at most 257 points. The last point is the last hand.',
    }),
    recent_hands: Type.Array(
      Exact({
        hand_id: Uuid,
        table_id: TableId,
        table_hand_number: Type.Integer({ minimum: 1, description: 'The number of the hand at its table' }),
        hand_number: Type.Integer({
          minimum: 1,
          description: "The number of a hand, among the agent's hands of the season.",
        }),
        profit: Type.Integer(),
        /** The agent's actions, such as "preflop raise 60; flop check, fold". */
        action_summary: Type.String({ minLength: 1 }),
        started_at: Time,
      }),
      { description: 'The last 20, newest first.' },
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
        bb_per_100_ci95: [-58.3, 81.7],
        bb_per_100_all_in_adjusted: 4.9,
        bb_per_100_all_in_adjusted_ci95: [-46.8, 64.1],
        hands_luck_adjusted: 400,
        bb_per_100_luck_adjusted: 5.3,
        bb_per_100_luck_adjusted_ci95: [-38.2, 51.7],
        all_in_adj_bb_per_100: 4.9,
        all_in_adj_bb_per_100_ci95: [-46.8, 64.1],
        showdown_winnings: 5100,
        non_showdown_winnings: -2124,
        rebuys: 1,
        position_stats: [
          {
            position: 'BTN',
            hand_count: 401,
            vpip: 0.38,
            pfr: 0.31,
            win_rate: 0.27,
            bb_per_100: 31.5,
            bb_per_100_ci95: [-214.6, 330.2],
          },
        ],
        starting_hand_groups: [
          {
            name: 'Suited connectors',
            labels: ['T9s', '98s', '87s', '76s', '65s', '54s', '43s', '32s'],
            hand_count: 57,
            bb_per_100: 12.4,
            bb_per_100_ci95: [-480.2, 512.9],
          },
        ],
        starting_hand_grid: [
          {
            label: 'AA',
            rank1: 'A',
            rank2: 'A',
            suited: false,
            hand_count: 11,
            bb_per_100: 310.2,
            bb_per_100_ci95: [-10000, 38500],
          },
          {
            label: 'AKs',
            rank1: 'A',
            rank2: 'K',
            suited: true,
            hand_count: 7,
            bb_per_100: 96.1,
            bb_per_100_ci95: [-10000, 38500],
          },
        ],
        pnl_series: [
          { hand_number: 16, cumulative_profit: -120 },
          { hand_number: 2400, cumulative_profit: 2976 },
        ],
        recent_hands: [
          {
            hand_id: '018f4e0b-0000-7000-8000-0000000000a1',
            table_id: '018f4e0b-0000-7000-8000-000000000001',
            table_hand_number: 738,
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
  summary: 'Figures of your play in the current season. Requires the season pass',
  description:
    'The figures follow PokerTracker 4. Rates are shares from 0 to 1. A raise is a bet, a raise, or an all-in for more than a call. Timeouts are decisions, blinds are not. In an all-in-adjusted hand the betting ended before the river because no second player could bet. The hand counts with the mean payout over every possible board. Folded cards count as unknown. total_hands is the number of hands counted so far. A request first counts up to 512 new hands.',
  auth: 'owner',
  answers: { 200: Analytics },
  errors: { 403: [Detail.premiumRequired], 404: [Detail.noActiveSeason] },
});
