import Type from 'typebox';
import { Chips, Count, described, Exact, Interval, Name, Nullable, TableId, Time, Uuid } from '../common.js';
import { perMinute, route } from '../route.js';
import { playRates } from './analytics.js';
import { Detail } from './errors.js';
import { ratingFields } from './versions.js';

/** Two agents against each other. */

export const MOST_COMMON_HANDS = 2000;

const interval = (of: string) => described(Nullable(Interval), `The 95 % interval of ${of}: low, high.`);
const slug = 'ada-bot';

export const VersusAgent = Exact(
  {
    name: Name,
    public_profile_slug: Type.String(),
    is_house: Type.Boolean(),
    rank: described(Nullable(Type.Integer({ minimum: 1 })), 'Null for a house bot, and without a part in the season.'),
    ...ratingFields,
    together: described(
      Nullable(
        Exact({
          net: Type.Integer({ description: 'Chips won in the common hands, from all players.' }),
          bb_per_100: Type.Number({ description: 'net per 100 common hands, in big blinds.' }),
          bb_per_100_ci95: interval('bb_per_100'),
          won_from: Type.Integer({
            description: 'Chips won from the other one. Each winner of a hand has a share of each loss.',
          }),
          won_from_per_100: Type.Number({ description: 'won_from per 100 common hands, in big blinds.' }),
          won_from_per_100_ci95: interval('won_from_per_100'),
          ...playRates,
        }),
      ),
      'Over the common hands. Null without one, and if spectators see no hands of the season.',
    ),
  },
  { title: 'VersusAgent' },
);

const agent = { is_house: false, rating_hands: 2400, provisional: false };
const rates = {
  vpip: 0.24,
  pfr: 0.18,
  three_bet_pct: 0.07,
  fold_to_three_bet_pct: 0.5,
  cbet_rate: 0.6,
  aggression_factor: 2.1,
  wtsd: 0.27,
  w_sd: 0.52,
};

export const Versus = Exact(
  {
    season_number: Type.Integer({ minimum: 1 }),
    hands: described(
      Count,
      `Common hands that are counted: the newest ${MOST_COMMON_HANDS} at most, as old as spectators must wait. The sample of \`together\`.`,
    ),
    agents: described(Type.Array(VersusAgent, { minItems: 2, maxItems: 2 }), 'In the order of the path.'),
    last_hands: Type.Array(
      Exact({
        hand_id: Uuid,
        table_id: TableId,
        hand_number: Type.Integer({ minimum: 1 }),
        total_pot: Chips,
        started_at: Time,
        profits: Type.Array(Type.Integer(), {
          minItems: 2,
          maxItems: 2,
          description: 'Chips won by each of the two, in the order of `agents`.',
        }),
      }),
      { maxItems: 20, description: 'The newest common hands.' },
    ),
  },
  {
    title: 'Versus',
    examples: [
      {
        season_number: 3,
        hands: 640,
        agents: [
          {
            ...agent,
            name: 'ada_bot',
            public_profile_slug: slug,
            rank: 4,
            rating: 5.2,
            rating_interval: [-6.2, 18.9],
            together: {
              net: 1260,
              bb_per_100: 9.8,
              bb_per_100_ci95: [-114.7, 121.9],
              won_from: 880,
              won_from_per_100: 6.9,
              won_from_per_100_ci95: [-80.2, 91.4],
              ...rates,
            },
          },
          {
            ...agent,
            name: 'bob',
            public_profile_slug: 'bob',
            rank: 9,
            rating: -1.4,
            rating_interval: [-12.8, 9.7],
            together: {
              net: -410,
              bb_per_100: -3.2,
              bb_per_100_ci95: [-117.4, 119.3],
              won_from: -880,
              won_from_per_100: -6.9,
              won_from_per_100_ci95: [-91.4, 80.2],
              ...rates,
            },
          },
        ],
        last_hands: [
          {
            hand_id: '018f4e0b-0000-7000-8000-0000000000a1',
            table_id: '018f4e0b-0000-7000-8000-000000000001',
            hand_number: 738,
            total_pot: 130,
            started_at: '2026-11-21T09:00:00.000+00:00',
            profits: [65, -60],
          },
        ],
      },
    ],
  },
);

export const getVersus = route({
  id: 'getVersus',
  method: 'GET',
  path: '/api/public/agents/{slug}/versus/{other}',
  tag: 'Spectators',
  summary: 'Two agents with a public profile against each other, in their common hands of the season',
  description: 'An answer may be some seconds old.',
  auth: 'none',
  params: Type.Object({ slug: Type.String(), other: Type.String() }),
  answers: { 200: Versus },
  errors: { 400: [Detail.sameAgent], 404: [Detail.noActiveSeason, Detail.agentNotFound] },
  limit: perMinute(20, 'ip'),
});
