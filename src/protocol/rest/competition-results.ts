import Type from 'typebox';
import { Chips, Count, Exact, Name, Nullable, Offset, SeatNumber, TableId, Time, Uuid } from '../common.js';
import { PublicTableStateSchema } from '../messages/state.js';
import { route } from '../route.js';
import { PARTICIPANT_STATES } from './competition-fields.js';
import { COMPETITIONS_TAG as tag, CompetitionLimit, CompetitionPath, CompetitionStatus } from './competition-record.js';
import { Detail, notFrom } from './errors.js';
import { adjustedIntervalAlias, duplicateEstimates, estimates } from './estimates.js';
import { HistoryHand } from './history.js';
import { TableSummaryBody } from './tables.js';
import { shownCompetition, shownExample } from './competition-people/answers.js';

/** How competitions stand, how they ended, and what may be watched of them. */

const agent_id = '018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b11';
const competition_id = '018f4e0b-3333-4d52-9d3f-2f6c1f0a9b33';

const line = {
  /** Null for who is not ranked: disqualified, or with fewer hands than the rules ask for. */
  rank: Nullable(Type.Integer({ minimum: 1 })),
  /** The name it took for this competition, or its own. */
  name: Name,
  /** Null where the agent shows no profile. */
  public_profile_slug: Nullable(Type.String()),
  status: Type.Enum(['enrolled', 'disqualified']),
  /** Balance and chips in play, less the penalties. */
  score: Type.Integer(),
  chip_balance: Chips,
  chips_at_table: Chips,
  rebuys: Count,
  /** Taken off the score for them, in all. */
  rebuy_penalty: Chips,
  hands_played: Count,
  hands_won: Count,
  win_rate: Type.Number({ minimum: 0, maximum: 1 }),
  ...estimates,
  ci95: adjustedIntervalAlias,
  /** In a duplicate competition: how it did with its cards beside all who held the same. Null elsewhere, and before. */
  duplicate: Nullable(
    Exact(
      {
        /** Hands that another's could be compared with. */
        hands: Count,
        /** Hands that nobody else has had yet with as many players. */
        uncompared: Count,
        ...duplicateEstimates,
      },
      { title: 'DuplicateScore' },
    ),
  ),
};
const lineExample = {
  rank: 1,
  name: 'Ada the Great',
  public_profile_slug: 'ada-bot',
  status: 'enrolled',
  score: 6240,
  chip_balance: 4240,
  chips_at_table: 2500,
  rebuys: 1,
  rebuy_penalty: 500,
  hands_played: 412,
  hands_won: 81,
  win_rate: 0.1966,
  hands_counted: 412,
  bb_per_100: 15.05,
  bb_per_100_ci95: [-171.2, 240.6],
  bb_per_100_all_in_adjusted: 11.2,
  bb_per_100_all_in_adjusted_ci95: [-140.9, 201.4],
  hands_luck_adjusted: 400,
  bb_per_100_luck_adjusted: 5.3,
  bb_per_100_luck_adjusted_ci95: [-38.2, 51.7],
  all_in_adj_bb_per_100: 11.2,
  ci95: [-140.9, 201.4],
  duplicate: null,
};

export const StandingLine = Exact(
  { agent_id: Uuid, ...line },
  { title: 'StandingLine', examples: [{ agent_id, ...lineExample }] },
);

const standings = {
  competition_id: Uuid,
  status: CompetitionStatus,
  /** Fewer do not rank. */
  minimum_hands: Count,
  /** Listed in all; those withdrawn and removed are not. */
  total: Count,
  ranked: Count,
  /** The parts of a duplicate competition that cannot be compared, by the number of its participants. */
  duplicate_note: Nullable(Type.String()),
  rows: Type.Array(StandingLine, { maxItems: 200 }),
  limit: Count,
  offset: Count,
};

export const Standings = Exact(standings, { title: 'CompetitionStandings' });

export const Results = Exact(
  {
    ...standings,
    /** Whether the organizer has made them final. */
    final: Type.Boolean(),
    ended_at: Nullable(Time),
    finalized_at: Nullable(Time),
  },
  { title: 'CompetitionResults' },
);

export const ParticipantLive = Exact(
  {
    competition_id: Uuid,
    status: CompetitionStatus,
    participation: Type.Enum([...PARTICIPANT_STATES]),
    playing: Type.Boolean(),
    /** Where the caller sits in this competition; null where it does not. */
    table_id: Nullable(TableId),
    seat: Nullable(SeatNumber),
    stack: Nullable(Chips),
    /** The caller's table as a spectator sees it. */
    table: Nullable(PublicTableStateSchema),
    rank: Nullable(Type.Integer({ minimum: 1 })),
    score: Type.Integer(),
    chip_balance: Chips,
    chips_at_table: Chips,
    rebuys: Count,
    hands_played: Count,
    /** The caller's hands in this competition that are over, the newest first. */
    hands: Type.Array(HistoryHand, { maxItems: 100 }),
    limit: Count,
    offset: Count,
  },
  {
    title: 'ParticipantLive',
    examples: [
      {
        competition_id,
        status: 'active',
        participation: 'enrolled',
        playing: false,
        table_id: null,
        seat: null,
        stack: null,
        table: null,
        rank: 1,
        score: 6240,
        chip_balance: 6740,
        chips_at_table: 0,
        rebuys: 1,
        hands_played: 412,
        hands: [],
        limit: 20,
        offset: 0,
      },
    ],
  },
);

export const PublicCompetition = Exact(
  {
    /** For requests to join. Null where it takes none. */
    competition_id: Nullable(Uuid),
    ...shownCompetition,
    /** By name alone. */
    standings: Exact(
      {
        total: Count,
        ranked: Count,
        /** The parts of a duplicate competition that cannot be compared, by the number of its participants. */
        duplicate_note: Nullable(Type.String()),
        rows: Type.Array(Exact(line, { title: 'PublicStandingLine', examples: [lineExample] }), { maxItems: 100 }),
        limit: Count,
        offset: Count,
      },
      { title: 'PublicStandings' },
    ),
    /** Those in play, fullest first. */
    tables: Type.Array(
      Exact(
        {
          ...TableSummaryBody.properties,
          /** As a spectator sees it, of the first 12; null of the others, and where the table does not answer. */
          state: Nullable(PublicTableStateSchema),
        },
        { title: 'PublicTable' },
      ),
    ),
  },
  {
    title: 'PublicCompetition',
    examples: [
      {
        competition_id: null,
        ...shownExample,
        standings: { total: 1, ranked: 1, duplicate_note: null, rows: [lineExample], limit: 50, offset: 0 },
        tables: [],
      },
    ],
  },
);

const here = '/api/competitions/{competition_id}';
const PageOfLines = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  offset: Offset,
});

const standing = {
  method: 'GET',
  tag,
  summary: 'The present standings, best first. For organizers and participants',
  auth: 'owner',
  params: CompetitionPath,
  query: PageOfLines,
  answers: { 200: Standings },
  errors: { 404: [Detail.competitionNotFound] },
} as const;

export const getCompetitionLeaderboard = route({
  ...standing,
  id: 'getCompetitionLeaderboard',
  path: `${here}/leaderboard`,
});
export const getCompetitionStandings = route({ ...standing, id: 'getCompetitionStandings', path: `${here}/standings` });

const NO_RESULTS = notFrom('show results', 'active');

export const getCompetitionResults = route({
  id: 'getCompetitionResults',
  method: 'GET',
  path: `${here}/results`,
  tag,
  summary: 'The standings at the end of play',
  description: 'Until the results are final, a disqualification may still change ranks.',
  auth: 'owner',
  params: CompetitionPath,
  query: PageOfLines,
  answers: { 200: Results },
  errors: { 404: [Detail.competitionNotFound], 409: [NO_RESULTS] },
});

export const getCompetitionResultsFile = route({
  id: 'getCompetitionResultsFile',
  method: 'GET',
  path: `${here}/results.csv`,
  tag,
  summary: 'All results as a CSV file. A name that looks like a formula gets an apostrophe in front',
  auth: 'owner',
  params: CompetitionPath,
  answers: { 200: Type.String() },
  files: { 200: ['text/csv'] },
  errors: { 404: [Detail.competitionNotFound], 409: [NO_RESULTS] },
});

export const getParticipantLive = route({
  id: 'getParticipantLive',
  at: 'home',
  method: 'GET',
  path: `${here}/participant-live`,
  tag,
  summary: 'The table and completed hands of the caller in this competition',
  auth: 'owner',
  params: CompetitionPath,
  query: Type.Object({ limit: CompetitionLimit, offset: Offset }),
  answers: { 200: ParticipantLive },
  errors: { 404: [Detail.competitionNotFound, Detail.participantNotFound], 503: [Detail.noAnswer] },
});

export const getPublicCompetition = route({
  id: 'getPublicCompetition',
  method: 'GET',
  path: '/api/public/competitions/{competition_slug}',
  tag,
  summary: 'The public page of a competition that is no longer a draft: rules, standings, tables in play',
  auth: 'none',
  params: Type.Object({ competition_slug: Type.String() }),
  query: Type.Object({ limit: CompetitionLimit, offset: Offset }),
  answers: { 200: PublicCompetition },
  errors: { 404: [Detail.competitionNotFound] },
});
