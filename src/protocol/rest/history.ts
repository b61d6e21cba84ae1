import Type from 'typebox';
import { ActionName, BettingStreet, Chips, Count, Exact, Nullable, Seat, TableId, Time, Uuid } from '../common.js';
import { perMinute, route } from '../route.js';

/** The own hands and the trail of the own chips. */

/** One action of a hand, with amounts as player_action tells them; blinds are no actions. */
export const HistoryAction = Exact(
  { seat: Seat, action: ActionName, amount: Nullable(Chips), street: BettingStreet },
  { title: 'HistoryAction' },
);

const hand = {
  hand_id: Uuid,
  table_id: TableId,
  hand_number: Type.Integer({ minimum: 1 }),
  /** The own seat. */
  seat: Seat,
  stack_start: Chips,
  stack_end: Chips,
  /** stack_end - stack_start. */
  profit: Type.Integer(),
  /** Everybody's, in order. */
  actions: Type.Array(HistoryAction),
  started_at: Time,
  ended_at: Time,
};

export const HistoryHand = Exact(hand, { title: 'HistoryHand' });

export const HandHistory = Exact(
  {
    hands: Type.Array(HistoryHand, { maxItems: 200 }),
    limit: Count,
    offset: Count,
    /** Hands that fit the filters, on all pages. */
    total_hands: Count,
    /** For the next page; null on the last one. */
    next_cursor: Nullable(Type.String({ minLength: 1 })),
  },
  { title: 'HandHistory' },
);

const Moment = (what: string) =>
  Type.Optional(
    Type.String({
      maxLength: 64,
      description: `${what}: an ISO 8601 day or time, UTC where no zone is named`,
      examples: ['2026-11-21', '2026-11-21T10:00:00Z'],
    }),
  );

const Offset = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 });
const Limit = Type.Integer({ minimum: 1, maximum: 200, default: 50 });

export const HandHistoryQuery = Type.Object({
  limit: Limit,
  offset: Offset,
  cursor: Type.Optional(
    Type.String({ maxLength: 64, description: 'next_cursor of the page before; the offset counts from there' }),
  ),
  from: Moment('Hands that began then or later'),
  to: Moment('Hands that began then or earlier; a day with all its hands'),
  season_id: Type.Optional(Uuid),
});

/** `skim`: chips above the maximum table stack that went back after a hand. */
const MOVEMENTS = ['grant', 'rebuy', 'reset', 'buy_in', 'cash_out', 'skim'];

export const ChipMovement = Exact(
  {
    entry_id: Type.Integer({ minimum: 1 }),
    season_id: Uuid,
    type: Type.Enum(MOVEMENTS),
    /** What the balance gained; negative for a loss, such as a buy-in, which takes chips to a table. */
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

const tag = 'History';

export const getHandHistory = route({
  id: 'getHandHistory',
  method: 'GET',
  path: '/api/me/hand-history',
  tag,
  summary: 'The own hands of all seasons, the newest first',
  auth: 'agent',
  query: HandHistoryQuery,
  answers: { 200: HandHistory },
  limit: perMinute(30, 'key'),
});

export const getSeasonChipLedger = route({
  id: 'getSeasonChipLedger',
  method: 'GET',
  path: '/api/season-chip-ledger',
  tag,
  summary: 'Every movement of the own chip balance in all seasons, the newest first',
  auth: 'agent',
  query: Type.Object({ limit: Limit, offset: Offset }),
  answers: { 200: ChipLedger },
});
