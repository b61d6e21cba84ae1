import Type from 'typebox';
import { Count, described, Exact, Interval, Name, Nullable } from '../common.js';
import { perMinute, route } from '../route.js';
import { playRates } from './analytics.js';
import { Detail } from './errors.js';

/** The agents that the own agent met, and how they play. */

export const MAX_OPPONENT_HANDS = 5000;

export const Opponent = Exact(
  {
    name: Name,
    /** Null: it shows no profile. */
    public_profile_slug: Nullable(Type.String()),
    is_house: Type.Boolean(),
    hands: Type.Integer({ minimum: 0, description: 'Hands that both were dealt into. Everything here counts these.' }),
    net: Type.Integer({ description: 'Chips that the own agent won in them, from all players.' }),
    bb_per_100: Type.Number({ description: 'net as a rate.' }),
    bb_per_100_ci95: described(
      Nullable(Interval),
      'Its 95 % interval: low, high. It holds however often it is looked at while `hands` takes in the whole season.',
    ),
    won_from: Type.Integer({
      description: 'The part of net that came from this opponent. Each winner has a share of each loss of a hand.',
    }),
    ...playRates,
  },
  { title: 'Opponent' },
);

export const Opponents = Exact(
  {
    /** The newest of the season that are counted here. */
    hands: Count,
    opponents: Type.Array(Opponent, { maxItems: 200, description: 'Those met in the most hands first' }),
  },
  {
    title: 'Opponents',
    examples: [
      {
        hands: 1000,
        opponents: [
          {
            name: 'house_rock',
            public_profile_slug: 'house-rock',
            is_house: true,
            hands: 640,
            net: -1260,
            bb_per_100: -9.8,
            bb_per_100_ci95: [-114.7, 121.9],
            won_from: 880,
            vpip: 0.14,
            pfr: 0.09,
            three_bet_pct: 0.03,
            fold_to_three_bet_pct: 0.7,
            cbet_rate: 0.55,
            aggression_factor: 1.9,
            wtsd: 0.21,
            w_sd: 0.58,
          },
        ],
      },
    ],
  },
);

export const listOpponents = route({
  id: 'listOpponents',
  method: 'GET',
  path: '/api/me/opponents',
  tag: 'Analytics',
  summary: 'The opponents of the newest hands of the season: how they play, and what the agent won from them',
  auth: 'owner',
  query: Type.Object({ hands: Type.Integer({ minimum: 1, maximum: MAX_OPPONENT_HANDS, default: 1000 }) }),
  answers: { 200: Opponents },
  errors: { 404: [Detail.noActiveSeason] },
  limit: perMinute(10, 'key'),
});
