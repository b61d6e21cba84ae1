import Type from 'typebox';
import { Count, Exact, Interval, Name, Nullable } from '../common.js';
import { perMinute, route } from '../route.js';
import { Detail } from './errors.js';

/** Who the own agent met, and how they play: docs/ANALYTICS.md defines each figure. */

const Rate = Type.Number({ minimum: 0, maximum: 1 });

export const MAX_OPPONENT_HANDS = 5000;

export const Opponent = Exact(
  {
    name: Name,
    /** Null: it shows no profile. */
    public_profile_slug: Nullable(Type.String()),
    is_house: Type.Boolean(),
    /** That both were dealt into. */
    hands: Count,
    /** Chips that the own agent won in them, from whomever. */
    net: Type.Integer(),
    bb_per_100: Type.Number(),
    /** 95 %: low, high; null of fewer than two hands. */
    bb_per_100_ci95: Nullable(Interval),
    /** Chips of those that came from this opponent; rounded. */
    won_from: Type.Integer(),
    vpip: Rate,
    pfr: Rate,
    three_bet_pct: Rate,
    fold_to_three_bet_pct: Rate,
    cbet_rate: Rate,
    aggression_factor: Type.Number({ minimum: 0 }),
    wtsd: Rate,
    w_sd: Rate,
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
            bb_per_100_ci95: [-41.2, 21.6],
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
