import Type from 'typebox';
import { Count, Exact, Name, Nullable, Offset } from '../common.js';
import { perMinute, route } from '../route.js';
import { listedCompetition, listedExample } from './competition-people/answers.js';
import { COMPETITIONS_TAG as tag, CompetitionLimit } from './competition-record.js';

/** The public list of competitions. */

/** `open`: takes people. `running`: enrollment is over, play is not. `finished`: play is over. */
export const LISTED = ['running', 'open', 'finished'] as const;

const ListedCompetition = Exact(
  {
    ...listedCompetition,
    /** All tables deal the same decks. */
    duplicate: Type.Boolean(),
    /** The first three of a finished competition. Empty where `spectators` are not the public. */
    podium: Type.Array(
      Exact(
        {
          rank: Type.Integer({ minimum: 1, maximum: 3 }),
          name: Name,
          /** Null where the agent shows no profile. */
          public_profile_slug: Nullable(Type.String()),
          score: Type.Integer(),
        },
        { title: 'PodiumPlace' },
      ),
      { maxItems: 3 },
    ),
  },
  { title: 'ListedCompetition' },
);

export const ListedCompetitions = Exact(
  {
    competitions: Type.Array(ListedCompetition, { maxItems: 100 }),
    /** Those of the asked status that match the search. */
    total: Count,
    /** The same of each status. */
    totals: Exact({ running: Count, open: Count, finished: Count }),
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
    offset: Count,
  },
  {
    title: 'ListedCompetitions',
    examples: [
      {
        competitions: [
          {
            ...listedExample,
            status: 'finalized',
            started_at: '2026-12-01T18:30:00.000+00:00',
            ended_at: '2026-12-01T21:30:04.212+00:00',
            finalized_at: '2026-12-01T21:41:00.000+00:00',
            duplicate: false,
            podium: [{ rank: 1, name: 'Ada the Great', public_profile_slug: 'ada-bot', score: 6240 }],
          },
        ],
        total: 1,
        totals: { running: 0, open: 2, finished: 1 },
        limit: 50,
        offset: 0,
      },
    ],
  },
);

export const listPublicCompetitions = route({
  id: 'listPublicCompetitions',
  method: 'GET',
  path: '/api/public/competitions',
  tag,
  summary: 'Competitions that run, take people or are finished. Drafts and cancelled ones are not listed',
  description:
    'Running: the latest start first. Open: the nearest end of enrollment first. Finished: the latest end first. ' +
    'With `spectators` other than `public` a competition is listed only while bots may ask to join it. ' +
    'An answer may be a second old.',
  auth: 'none',
  query: Type.Object({
    status: Type.Enum([...LISTED], { default: 'running' }),
    /** A part of the name, the organizer or the organization. Case does not count. */
    search: Type.Optional(Type.String({ maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f]*$' })),
    limit: CompetitionLimit,
    offset: Offset,
  }),
  answers: { 200: ListedCompetitions },
  limit: perMinute(60, 'ip'),
});
