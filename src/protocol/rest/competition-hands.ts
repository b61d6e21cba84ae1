import Type from 'typebox';
import {
  Board,
  Chips,
  Exact,
  HoleCards,
  MAX_TABLE_SEATS,
  Name,
  Nullable,
  Posted,
  SeatNumber,
  TableId,
  Time,
  Uuid,
} from '../common.js';
import { perMinute, route } from '../route.js';
import { COMPETITIONS_TAG as tag, CompetitionLimit, CompetitionPath } from './competition-record.js';
import { Detail, notFrom } from './errors.js';
import { ExportQuery, HandHistoryQuery, HistoryAction } from './history.js';

/** The hands of a whole competition, for who organizes it and need not have played. */

const hand = {
  hand_id: Uuid,
  table_id: TableId,
  hand_number: Type.Integer({ minimum: 1 }),
  competition_id: Uuid,
  /** Seat of the button. */
  button: SeatNumber,
  small_blind: Chips,
  big_blind: Chips,
  /** As far as it was opened. */
  board: Board,
  total_pot: Chips,
  players: Type.Array(
    Exact(
      {
        seat: SeatNumber,
        agent_id: Uuid,
        /** The agent's own. */
        name: Name,
        stack_start: Chips,
        stack_end: Chips,
        /** stack_end - stack_start. */
        profit: Type.Integer(),
        /** Chips put into the pots, without an uncalled part. */
        contributed: Chips,
        payout: Chips,
        /** Whether the cards were shown to the table. */
        shown: Type.Boolean(),
        /** Null while play goes on for cards that were not shown. */
        hole_cards: Nullable(HoleCards),
      },
      { title: 'CompetitionHandPlayer' },
    ),
    { minItems: 2, maxItems: MAX_TABLE_SEATS },
  ),
  /** The posts before the cards, in order. */
  posts: Type.Array(Posted, { minItems: 2 }),
  /** Everybody's, in order. */
  actions: Type.Array(HistoryAction),
  started_at: Time,
  ended_at: Time,
};

export const CompetitionHand = Exact(hand, { title: 'CompetitionHand' });

export const CompetitionHands = Exact(
  {
    hands: Type.Array(CompetitionHand, { maxItems: 100 }),
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
    /** For the next page; null on the last one. */
    next_cursor: Nullable(Type.String({ minLength: 1 })),
  },
  { title: 'CompetitionHands' },
);

const Seats = Type.Array(SeatNumber, { minItems: 1, maxItems: MAX_TABLE_SEATS });

export const CompetitionHandDetail = Exact(
  {
    ...hand,
    showdown: Type.Boolean(),
    /** Main pot first: who could win it, and who did. */
    pots: Type.Array(Exact({ amount: Chips, seats: Seats, winners: Seats }), { minItems: 1 }),
  },
  { title: 'CompetitionHandDetail' },
);

export const ExportedCompetitionHands = Exact(
  { hands: Type.Array(CompetitionHand) },
  { title: 'ExportedCompetitionHands' },
);

const here = '/api/competitions/{competition_id}/hands';
const CARDS =
  'Until play is over, organizers see only hole cards that were shown. Then they see all hole cards. A duplicate competition has no hands here until play is over.';
const ORGANIZER = {
  403: [Detail.organizerOnly],
  404: [Detail.competitionNotFound],
  409: [notFrom('show hands', 'active')],
} as const;

const { cursor, from, to } = HandHistoryQuery.properties;
const { format, start_date, end_date, limit } = ExportQuery.properties;

export const listCompetitionHands = route({
  id: 'listCompetitionHands',
  method: 'GET',
  path: here,
  tag,
  summary: 'All hands of the competition, the newest first. For organizers',
  description: CARDS,
  auth: 'owner',
  params: CompetitionPath,
  query: Type.Object({ limit: CompetitionLimit, cursor, from, to }),
  answers: { 200: CompetitionHands },
  errors: ORGANIZER,
});

export const getCompetitionHand = route({
  id: 'getCompetitionHand',
  method: 'GET',
  path: `${here}/{hand_id}`,
  tag,
  summary: 'One hand of the competition, with its pots. For organizers',
  description: CARDS,
  auth: 'owner',
  params: Type.Object({ competition_id: Uuid, hand_id: Uuid }),
  answers: { 200: CompetitionHandDetail },
  errors: { ...ORGANIZER, 404: [Detail.competitionNotFound, Detail.handNotFound] },
});

export const exportCompetitionHands = route({
  id: 'exportCompetitionHands',
  method: 'GET',
  path: `${here}/export`,
  tag,
  summary: 'The hands of the competition as a CSV, JSON, PHH (.phhs) or PokerStars file, the newest first',
  description: `${CARDS} A file that ends with a broken connection is incomplete.`,
  auth: 'owner',
  params: CompetitionPath,
  query: Type.Object({ format, start_date, end_date, limit }),
  answers: { 200: ExportedCompetitionHands },
  files: { 200: ['text/csv', 'application/json', 'application/toml', 'text/plain'] },
  errors: { ...ORGANIZER, 429: [Detail.exportsUnderWay] },
});

export const PublicCompetitionHands = Exact(
  {
    hands: Type.Array(
      Exact(
        {
          hand_id: Uuid,
          table_id: TableId,
          hand_number: Type.Integer({ minimum: 1 }),
          big_blind: Chips,
          total_pot: Chips,
          /** As far as it was opened. */
          board: Board,
          /** The largest gain first, under the names that the players have here. */
          players: Type.Array(
            Exact(
              {
                name: Name,
                /** Null where the agent shows no profile. */
                public_profile_slug: Nullable(Type.String()),
                profit: Type.Integer(),
              },
              { title: 'PublicCompetitionHandPlayer' },
            ),
            { minItems: 2, maxItems: MAX_TABLE_SEATS },
          ),
          ended_at: Time,
        },
        { title: 'PublicCompetitionHand' },
      ),
      { maxItems: 100 },
    ),
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
  },
  { title: 'PublicCompetitionHands' },
);

export const listPublicCompetitionHands = route({
  id: 'listPublicCompetitionHands',
  method: 'GET',
  path: '/api/public/competitions/{competition_slug}/hands',
  tag,
  summary: 'The newest hands or the largest pots of a competition, for its spectators',
  description:
    'Empty where `spectators` hides hands from the reader, and in a duplicate competition until play is over.',
  auth: 'optional',
  params: Type.Object({ competition_slug: Type.String() }),
  query: Type.Object({
    order: Type.Enum(['newest', 'largest'], { default: 'newest' }),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  }),
  answers: { 200: PublicCompetitionHands },
  errors: { 404: [Detail.competitionNotFound] },
  limit: perMinute(60, 'ip'),
});
