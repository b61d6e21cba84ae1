import Type from 'typebox';
import { Board, Chips, Count, Exact, HoleCards, MAX_TABLE_SEATS, Name, Nullable, Posted, SeatNumber, TableId, Time, Uuid } from '../common.js'; // prettier-ignore
import { perMinute, route } from '../route.js';
import { COMPETITIONS_TAG as tag } from './competition-record.js';
import { Detail, notFrom } from './errors.js';
import { HistoryAction } from './history.js';

/** One deck of a duplicate competition, side by side: who did what with it (protocol.md, "Duplicate decks"). */

const player = Exact(
  {
    /** Seats left of the button, counted among who was dealt in: 1 acts first after the flop, the last is the button. */
    place: Type.Integer({ minimum: 1, maximum: MAX_TABLE_SEATS }),
    seat: SeatNumber,
    name: Name,
    stack_start: Chips,
    /** The profit of the stack. */
    profit: Type.Integer(),
    /** Null where they were not shown to the table, and are not your own. */
    hole_cards: Nullable(HoleCards),
  },
  { title: 'DuplicateDeckPlayer' },
);

const hand = Exact(
  {
    hand_id: Uuid,
    table_id: TableId,
    hand_number: Type.Integer({ minimum: 1 }),
    /** Passes over the decks before this one; each has its own names of the suits. */
    pass: Count,
    big_blind: Chips,
    board: Board,
    total_pot: Chips,
    /** By their places. */
    players: Type.Array(player, { minItems: 2, maxItems: MAX_TABLE_SEATS }),
    posts: Type.Array(Posted, { minItems: 2 }),
    actions: Type.Array(HistoryAction),
    started_at: Time,
  },
  { title: 'DuplicateDeckHand' },
);

/** A deck is dealt once a table and pass; 2,000 participants at tables of six would have 2,004 of it. */
export const MOST_HANDS = 2100;

export const DuplicateDeck = Exact(
  {
    competition_id: Uuid,
    name: Type.String(),
    /** From 1. */
    deck: Type.Integer({ minimum: 1 }),
    /** How many were dealt. */
    decks: Type.Integer({ minimum: 1 }),
    /** Those that the reader may see: by the number of players, pass and table. */
    hands: Type.Array(hand, { maxItems: MOST_HANDS }),
  },
  { title: 'DuplicateDeck' },
);

export const getDuplicateDeck = route({
  id: 'getDuplicateDeck',
  method: 'GET',
  path: '/api/public/competitions/{competition_slug}/decks/{deck}',
  tag,
  summary: 'One deck of a duplicate competition, with the play of every table. It opens when play is over',
  description:
    "`spectators` of the competition decides about the hands, as in `GET /api/hands/{hand_id}`. A player's key also shows its own cards.",
  auth: 'optional',
  params: Type.Object({
    competition_slug: Type.String(),
    deck: Type.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'The number of the deck, from 1' }),
  }),
  answers: { 200: DuplicateDeck },
  errors: {
    404: [Detail.competitionNotFound, Detail.deckNotFound],
    409: [notFrom('show decks', 'active')],
  },
  limit: perMinute(60, 'ip'),
});
