import Type from 'typebox';
import { Detail } from './errors.js';
import {
  ActionName,
  BettingStreet,
  Board,
  Chips,
  Count,
  described,
  Exact,
  HoleCards,
  Limit,
  MAX_TABLE_SEATS,
  Name,
  Nullable,
  Offset,
  PositionName,
  Posted,
  SeatNumber,
  SeatKey,
  TableId,
  Time,
  Uuid,
} from '../common.js';
import { DealNonces, DealtDeck, Hex32, OpenedCards, OwnDice, OwnMix } from '../messages/fair.js';
import { perMinute, route } from '../route.js';

/** The own hands and the trail of the own chips. */

/** One action of a hand, with amounts as player_action tells them; blinds are no actions. */
export const HistoryAction = Exact(
  {
    seat: SeatNumber,
    action: ActionName,
    amount: Nullable(Chips),
    street: BettingStreet,
    timeout: described(Type.Optional(Type.Literal(true)), 'The time of the player was up: the server acted for it'),
    mix: Type.Optional(OwnMix),
  },
  { title: 'HistoryAction' },
);

const hand = {
  hand_id: Uuid,
  table_id: TableId,
  hand_number: Type.Integer({ minimum: 1 }),
  /** The own seat. */
  seat: SeatNumber,
  stack_start: Chips,
  stack_end: Chips,
  /** stack_end - stack_start. */
  profit: Type.Integer(),
  small_blind: Chips,
  big_blind: Chips,
  /** The own ones. */
  hole_cards: HoleCards,
  /** As far as it was opened. */
  board: Board,
  /** The posts before the cards, in order. */
  posts: Type.Array(Posted, { minItems: 2 }),
  /** Everybody's, in order. */
  actions: Type.Array(HistoryAction),
  started_at: Time,
  ended_at: Time,
};

export const HistoryHand = Exact(
  {
    ...hand,
    total_pot: described(Type.Optional(Chips), 'With `with_players`.'),
    players: described(
      Type.Optional(
        Type.Array(Exact({ seat: SeatNumber, name: Name, public_profile_slug: Nullable(Type.String()) }), {
          minItems: 2,
          maxItems: MAX_TABLE_SEATS,
        }),
      ),
      'With `with_players`: all players of the hand, under their present names.',
    ),
  },
  { title: 'HistoryHand' },
);

/** The most hands that one request with a filter or an order looks through. */
export const HANDS_SEARCHED = 5000;

export const HandHistory = Exact(
  {
    hands: Type.Array(HistoryHand, { maxItems: 200 }),
    limit: Count,
    offset: Count,
    total_hands: described(
      Count,
      'Hands of the season or competition and the times, on all pages. The other filters do not lower it.',
    ),
    next_cursor: described(
      Nullable(Type.String({ minLength: 1 })),
      'For the next page; null on the last one. With a filter or an order: for the hands behind `searched_hands`.',
    ),
    searched_hands: described(
      Type.Optional(Count),
      `With a filter or an order: the newest hands, or those behind the cursor, that were looked through. At most ${HANDS_SEARCHED}.`,
    ),
    found_hands: described(Type.Optional(Count), 'With a filter or an order: the hands among these that fit.'),
  },
  { title: 'HandHistory' },
);

/** One of the hands of an exported JSON file. */
export const ExportedHand = Exact(
  {
    ...hand,
    /** Null in a competition. */
    season_id: Nullable(Uuid),
    /** Null in a season. */
    competition_id: Nullable(Uuid),
    /** Seat of the button. */
    button: SeatNumber,
    total_pot: Chips,
    /** By seat, those that were shown to the table. */
    shown_cards: Type.Record(SeatKey, HoleCards),
    /** By seat, those that were not shown, but opened by `open_cards` of the competition. */
    opened_cards: Type.Record(SeatKey, HoleCards),
    players: Type.Array(Exact({ seat: SeatNumber, name: Name, stack_start: Chips, stack_end: Chips }), {
      minItems: 2,
      maxItems: MAX_TABLE_SEATS,
    }),
  },
  { title: 'ExportedHand' },
);

export const ExportedHands = Exact({ hands: Type.Array(ExportedHand) }, { title: 'ExportedHands' });

/** A day or a time of a query. `what` is what it asks for. */
export const MomentQuery = (what: string) =>
  Type.Optional(
    Type.String({
      maxLength: 64,
      description: `${what}. An ISO 8601 day or time. Without a zone it is UTC`,
      examples: ['2026-11-21', '2026-11-21T10:00:00Z'],
    }),
  );

const Competition = Type.Optional(
  Type.String({ format: 'uuid', description: 'This competition in place of seasons. It needs no pass' }),
);

export const HandHistoryQuery = Type.Object({
  limit: Limit,
  offset: Offset,
  cursor: Type.Optional(
    Type.String({ maxLength: 64, description: 'next_cursor of the last page. The offset counts from there' }),
  ),
  from: MomentQuery('Hands that began then or later'),
  to: MomentQuery('Hands that began then or earlier. A day includes all its hands'),
  season_id: Type.Optional(Uuid),
  competition_id: Competition,
  result: Type.Optional(
    Type.Enum(['won', 'lost', 'even'], { description: 'Hands in which your stack grew, shrank or stayed' }),
  ),
  position: described(Type.Optional(PositionName), 'Hands that you played from this position'),
  min_pot: described(Type.Optional(Type.Integer({ minimum: 1 })), 'Hands with a pot of so many chips or more'),
  opponent: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Hands with this agent, by its name or its profile slug' }),
  ),
  street: described(Type.Optional(BettingStreet), 'Hands with this last street: later board cards were not dealt'),
  all_in: described(
    Type.Optional(Type.Boolean()),
    'true: hands in which you put your whole stack in. false: the others',
  ),
  sort: Type.Enum(['newest', 'biggest_pot', 'biggest_win', 'biggest_loss'], {
    default: 'newest',
    description: 'The order, in chips. `biggest_win` has won hands only, `biggest_loss` lost hands only',
  }),
  with_players: Type.Boolean({ default: false, description: 'Each hand also has `total_pot` and `players`' }),
});

export const ExportQuery = Type.Object({
  format: Type.Enum(['csv', 'json', 'phh', 'pokerstars'], { default: 'csv' }),
  season_id: Type.Optional(Uuid),
  competition_id: Competition,
  start_date: MomentQuery('Hands that began then or later'),
  end_date: MomentQuery('Hands that began then or earlier. A day includes all its hands'),
  limit: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 10_000 }),
  offset: Offset,
});

/** `skim`: chips above the maximum table stack that went back after a hand. */
const MOVEMENTS = ['grant', 'rebuy', 'reset', 'buy_in', 'cash_out', 'skim'];

export const ChipMovement = Exact(
  {
    entry_id: Type.Integer({ minimum: 1 }),
    /** Null in a competition. */
    season_id: Nullable(Uuid),
    /** Null in a season. */
    competition_id: Nullable(Uuid),
    type: Type.Enum(MOVEMENTS),
    /** The balance's gain; negative for a loss, such as a buy-in, which takes chips to a table. */
    amount: Type.Integer(),
    /** The chip balance, which is off the tables, after it. */
    balance_after: Chips,
    table_id: Nullable(TableId),
    hand_id: Nullable(Uuid),
    created_at: Time,
  },
  { title: 'ChipMovement' },
);

export const ChipLedger = Exact(
  { entries: Type.Array(ChipMovement, { maxItems: 200 }), limit: Count, offset: Count },
  { title: 'ChipLedger' },
);

export const HandProof = Exact(
  {
    hand_id: Uuid,
    table_id: TableId,
    hand_number: Type.Integer({ minimum: 1 }),
    dealer_seat: SeatNumber,
    /** The own seat. */
    seat: SeatNumber,
    /** Seats that were dealt in. */
    seats: Type.Array(SeatNumber, { minItems: 2, maxItems: MAX_TABLE_SEATS }),
    hole_cards: HoleCards,
    board: Board,
    shown_cards: Type.Record(SeatKey, HoleCards),
    deck_commitment: Hex32,
    deal_nonces: DealNonces,
    deal_proof: DealtDeck,
    own_opened: OpenedCards,
    /** Cards that were not shown, but opened by `open_cards` of the competition. */
    opened_hands: Type.Array(Exact({ seat: SeatNumber, hole_cards: HoleCards, opened: OpenedCards })),
    own_dice: Type.Optional(OwnDice),
  },
  { title: 'HandProof' },
);

const tag = 'History';

export const getHandHistory = route({
  id: 'getHandHistory',
  method: 'GET',
  path: '/api/me/hand-history',
  tag,
  summary: 'Your hands, the newest first. Without a season pass only the current season',
  description:
    `A request with \`result\`, \`position\`, \`min_pot\`, \`opponent\`, \`street\`, \`all_in\` or \`sort\` looks through at most ${HANDS_SEARCHED} hands, and \`searched_hands\` says how many. ` +
    'The order holds among these hands, and `offset` skips some of them. `next_cursor` goes on behind them. In the order `newest` the search ends with a full page.',
  auth: 'owner',
  query: HandHistoryQuery,
  answers: { 200: HandHistory },
  errors: {
    403: [Detail.historyNeedsPass],
    404: [Detail.noActiveSeason, Detail.competitionNotFound, Detail.agentNotFound],
  },
  limit: perMinute(30, 'key'),
});

export const exportHandHistory = route({
  id: 'exportHandHistory',
  method: 'GET',
  path: '/api/me/hand-history/export',
  tag,
  summary: 'Your hands as a CSV, JSON, PHH (.phhs) or PokerStars file, the newest first',
  description:
    'Without a season pass the file has the current season. With a pass it has any season or dates, by default all. A file that ends with a broken connection is incomplete.',
  auth: 'owner',
  query: ExportQuery,
  answers: { 200: ExportedHands },
  files: { 200: ['text/csv', 'application/json', 'application/toml', 'text/plain'] },
  errors: {
    403: [Detail.exportNeedsPass],
    404: [Detail.noActiveSeason, Detail.seasonNotFound, Detail.competitionNotFound],
    429: [Detail.exportsUnderWay],
  },
});

export const getHandProof = route({
  id: 'getHandProof',
  method: 'GET',
  path: '/api/hands/{hand_id}/proof',
  tag,
  summary: 'The proof of the cards of a hand that you were dealt into: your cards, the board and shown cards',
  description:
    'examples/verify.ts and verify.py check these fields of hand_start and hand_result (docs/protocol.md, "Fair deals"). 404 for hands of others, void hands, and hands under FAIR_DEALS=off.',
  auth: 'owner',
  params: Type.Object({ hand_id: Uuid }),
  answers: { 200: HandProof },
  errors: { 404: [Detail.handNotFound, Detail.handNotProvable] },
});

export const getSeasonChipLedger = route({
  id: 'getSeasonChipLedger',
  method: 'GET',
  path: '/api/season-chip-ledger',
  tag,
  summary: 'Every change of your chip balance, in all seasons or in one competition, the newest first',
  auth: 'owner',
  query: Type.Object({ limit: Limit, offset: Offset, competition_id: Competition }),
  answers: { 200: ChipLedger },
  errors: { 404: [Detail.competitionNotFound] },
});
