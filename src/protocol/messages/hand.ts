import Type from 'typebox';
import { REJECTION_REASONS, type RejectionCode } from '../codes.js';
import {
  ActionName,
  BettingStreet,
  Board,
  CardName,
  Chips,
  described,
  Exact,
  HoleCards,
  Name,
  Nullable,
  Posted,
  SeatNumber,
  SeatKey,
  Time,
  Uuid,
} from '../common.js';
import { Answer, HandEvent } from './envelope.js';
import { DealProof, DealStart } from './fair.js';
import { PlayerAtSeat } from './table.js';

/** The events of one hand, in their order (protocol.md, "A hand, frame by frame"). */

export const HandStart = Exact({
  ...HandEvent,
  hand_seq: Type.Literal(1),
  type: Type.Literal('hand_start'),
  /** The viewer's seat; a spectator's hand_start has none. */
  seat: Type.Optional(SeatNumber),
  dealer_seat: SeatNumber,
  blinds: Exact({ small_blind: Chips, big_blind: Chips }),
  posts: Type.Array(Posted, { minItems: 2 }),
  ...DealStart,
});

export const HoleCardsMessage = Exact({ ...HandEvent, type: Type.Literal('hole_cards'), cards: HoleCards });

const none = Type.Null();
/** In your_turn every entry has all four keys, null where they do not apply. Raises are raise-to totals. */
export const TurnAction = Type.Union([
  Exact({ action: Type.Enum(['fold', 'check']), amount: none, min: none, max: none }),
  Exact({ action: Type.Literal('call'), amount: Chips, min: none, max: none }),
  Exact({ action: Type.Literal('raise'), amount: none, min: Chips, max: Chips }),
  Exact({ action: Type.Literal('all_in'), amount: Chips, min: none, max: none }),
]);

/**
 * The clock of an open turn, in ms: the rest of it when this was sent, and the player's time bank (null: it has none).
 */
export const TurnClockFields = {
  deadline_ms: Type.Integer({ minimum: 0 }),
  time_bank_ms: Nullable(Type.Integer({ minimum: 0 })),
};

export const YourTurn = Exact({
  ...HandEvent,
  type: Type.Literal('your_turn'),
  seat: SeatNumber,
  valid_actions: Type.Array(TurnAction, { minItems: 1, maxItems: 4 }),
  pot: Chips,
  community_cards: Board,
  players: Type.Array(PlayerAtSeat, { minItems: 2 }),
  /** As in the raise entry; 0 where no raise is offered. */
  min_raise: Chips,
  max_raise: Chips,
  turn_token: Uuid,
  ...TurnClockFields,
});

export const ActionId = Type.String({ minLength: 1, maxLength: 128 });

/** The part that was drawn of a mixed action. `amount` is a raise's alone. */
export const DrawnPart = Exact(
  {
    action: ActionName,
    amount: Type.Optional(Chips),
    part: described(Type.Integer({ minimum: 0, maximum: 7 }), 'Its number in the mix, from 0'),
    u: described(Type.Number({ minimum: 0, exclusiveMaximum: 1 }), 'The draw'),
    number: described(Type.Integer({ minimum: 0 }), 'The number of the action in its hand, from 0: it names the draw'),
  },
  { title: 'DrawnPart', description: 'The part of a mixed action that was drawn' },
);

export const ActionAck = Exact({
  ...Answer,
  type: Type.Literal('action_ack'),
  client_action_id: Nullable(ActionId),
  status: Type.Literal('accepted'),
  /** A fold where checking is free was taken as a check; absent in every other case. */
  taken_as: Type.Optional(Type.Literal('check')),
  /** Absent where the action was named. */
  drawn: Type.Optional(DrawnPart),
});

const rejectionCodes = Object.keys(REJECTION_REASONS) as RejectionCode[];
const rejected = {
  type: Type.Literal('action_rejected'),
  code: Type.Enum(rejectionCodes),
  reason: Type.String({ minLength: 1 }),
  details: described(
    Type.Object({
      code: Type.Enum(rejectionCodes),
      /** For a raise to a fraction: the legal raise-to totals next to it. */
      nearest: Type.Optional(Type.Array(Chips, { minItems: 1, maxItems: 2 })),
      /** The number of the part of a mix that is at fault, from 0. */
      part: Type.Optional(Type.Integer({ minimum: 0, maximum: 7 })),
    }),
    'The code and the client_action_id again. nearest: the two legal totals beside a fraction. part: the wrong part of a mix',
  ),
};

/** Without an envelope only where there is no table that could number it. */
export const ActionRejected = Type.Union([
  Exact({ ...Answer, ...rejected }),
  Exact({ ...rejected, code: Type.Enum(['not_at_table', 'table_not_found']) }),
]);

export const PlayerAction = Exact({
  ...HandEvent,
  type: Type.Literal('player_action'),
  seat: SeatNumber,
  name: Name,
  action: ActionName,
  /** Null for fold and check, chips added for call and all_in, the raise-to total for raise. */
  amount: Nullable(Chips),
  /** The street on which the action was taken. */
  street: BettingStreet,
  stack: Chips,
  pot: Chips,
  /** Why the server acted for the player; null where the player acted. */
  reason: Nullable(Type.Enum(['timeout', 'left'])),
  /** The actor's own client_action_id to itself, another UUID to everybody else. */
  action_id: ActionId,
  /** `to_total` for a raise, else `incremental` (also beside the null amount of fold and check). */
  amount_mode: Type.Enum(['incremental', 'to_total']),
  pot_before: Chips,
  pot_after: Chips,
  to_call_before: Nullable(Chips),
  stack_before: Chips,
  stack_after: Chips,
  contribution_delta: Chips,
  player_stack_before: Chips,
  player_stack_after: Chips,
  /** Only for a turn that timed out: how long its player had it, how long the server stood still, and its two ends. */
  used_ms: Type.Optional(Type.Integer({ minimum: 0 })),
  server_lag_ms: Type.Optional(Type.Integer({ minimum: 0 })),
  sent_at: Type.Optional(Time),
  deadline_at: Type.Optional(Time),
});

const cards = { ...HandEvent, type: Type.Literal('community_cards') };
/** Only the new cards, 3/1/1; with BOARD_EVENTS=cumulative the whole board, 3/4/5. */
export const CommunityCards = Type.Union([
  Exact({ ...cards, street: Type.Literal('flop'), cards: Type.Array(CardName, { minItems: 3, maxItems: 3 }) }),
  Exact({ ...cards, street: Type.Enum(['turn', 'river']), cards: Type.Array(CardName, { minItems: 1, maxItems: 5 }) }),
]);

export const HandResult = Exact({
  ...HandEvent,
  type: Type.Literal('hand_result'),
  /** The seats with a payout; `amount` is the net gain, 0 where a payout only gives the own chips back. */
  winners: Type.Array(
    Exact({
      seat: SeatNumber,
      name: Name,
      stack: Chips,
      amount: Chips,
      hand_description: Type.String({ minLength: 1 }),
    }),
    {
      minItems: 1,
      description:
        'amount is the net gain. hand_description names rank 2 "Two" or "Twos", and no kickers. Without a showdown it is Uncontested',
    },
  ),
  pot: Chips,
  total_pot: Chips,
  transferable_pot: Chips,
  net_pot_after_rake: Chips,
  /** Dealt-in seats only. */
  final_stacks: Type.Record(SeatKey, Chips, { additionalProperties: false }),
  pot_kind: Type.Literal('transferable'),
  rake: Type.Literal(0),
  rake_settled: Type.Literal(0),
  shown_cards: Type.Record(SeatKey, HoleCards, { additionalProperties: false }),
  actions: Type.Array(Exact({ seat: SeatNumber, action: ActionName, amount: Nullable(Chips), street: BettingStreet })),
  /** Gross awards; they sum to total_pot. */
  payouts: Type.Array(Exact({ seat: SeatNumber, amount: Chips }), { minItems: 1 }),
  outcome_kind: Type.Enum(['win', 'split', 'multiple_winners']),
  ...DealProof,
});
