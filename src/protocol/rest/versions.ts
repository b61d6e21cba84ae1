import Type from 'typebox';
import { BotVersion, described, Exact, Nullable } from '../common.js';
import { perMinute, route } from '../route.js';
import { Detail } from './errors.js';

/** A rating, as the leaderboard and the list of versions have it. */
export const ratingFields = {
  rating: Nullable(
    Type.Number({
      description:
        "Big blinds per 100 hands above the pool's average agent: a linear model of all-in-adjusted results, shrunk " +
        'to 0. The model takes out how strong the opponents were. Null without a rated hand.',
    }),
  ),
  rating_interval: Nullable(
    Type.Array(Type.Number(), {
      minItems: 2,
      maxItems: 2,
      description: 'low, high: holds the rating with 95 % at all sample sizes at once, as far as the model is true.',
    }),
  ),
  rating_hands: Type.Integer({ minimum: 0, description: 'Hands that are rated so far.' }),
  provisional: Type.Boolean({ description: 'Fewer hands than the server asks for (RATING_MIN_HANDS, 300).' }),
};

export const BotVersions = Exact(
  {
    versions: Type.Array(
      Exact(
        {
          version: described(
            Nullable(BotVersion),
            'Null: hands without a version, and those of versions after the first 50 of the season.',
          ),
          ...ratingFields,
        },
        { title: 'RatedVersion' },
      ),
      { maxItems: 51, description: 'Those with the most hands first. Empty unless the bot ever told a version.' },
    ),
  },
  {
    title: 'BotVersions',
    examples: [
      {
        versions: [
          { version: 'v2', rating: 4.1, rating_interval: [-3.9, 12.8], rating_hands: 5200, provisional: false },
          { version: null, rating: -1.2, rating_interval: null, rating_hands: 120, provisional: true },
        ],
      },
    ],
  },
);

export const listVersions = route({
  id: 'listVersions',
  method: 'GET',
  path: '/api/me/versions',
  tag: 'Analytics',
  summary: "The ratings of the own bot's versions in the current season, each by its own hands",
  description:
    'A bot tells its version in join_lobby. Hands count for the version that took the seat. The leaderboard has one row ' +
    'for all versions.',
  auth: 'owner',
  answers: { 200: BotVersions },
  errors: { 404: [Detail.noActiveSeason] },
  limit: perMinute(30, 'key'),
});
