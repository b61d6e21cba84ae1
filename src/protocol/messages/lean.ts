import Type from 'typebox';
import {
  ActionName,
  BettingStreet,
  Board,
  Chips,
  Exact,
  HoleCards,
  Name,
  Nullable,
  SeatNumber,
  SeatKey,
  TableId,
  Uuid,
} from '../common.js';
import { TableSeq } from './envelope.js';
import { ActionId, DrawnPart, TurnAction, TurnClockFields } from './hand.js';

/** The frames of a hand for sockets of the lean subprotocol, in the place of all other events (protocol.md, "Lean"). */

const lean = { table_id: TableId, hand_id: Uuid, table_seq: TableSeq };

export const LeanHand = Exact({
  type: Type.Literal('hand'),
  ...lean,
  seat: SeatNumber,
  dealer_seat: SeatNumber,
  blinds: Exact({ small_blind: Chips, big_blind: Chips }),
  /** Dealt-in seats in seat order; `bet` is what was posted, `stack` what is left. */
  players: Type.Array(Exact({ seat: SeatNumber, name: Name, stack: Chips, bet: Chips }), { minItems: 2 }),
  hole_cards: HoleCards,
});

/** The actions since the last turn. `first` is the number of the hand's actions before them. */
const since = {
  first: Type.Integer({ minimum: 0 }),
  actions: Type.Array(Exact({ seat: SeatNumber, action: ActionName, amount: Nullable(Chips), street: BettingStreet })),
  /** As far as it is open. */
  board: Board,
};

export const LeanTurn = Exact({
  type: Type.Literal('turn'),
  ...lean,
  ...since,
  pot: Chips,
  valid_actions: Type.Array(TurnAction, { minItems: 1, maxItems: 4 }),
  turn_token: Uuid,
  ...TurnClockFields,
});

export const LeanAck = Exact({
  type: Type.Literal('ack'),
  client_action_id: Nullable(ActionId),
  /** As in action_ack. */
  taken_as: Type.Optional(Type.Literal('check')),
  /** As in action_ack. */
  drawn: Type.Optional(DrawnPart),
});

export const LeanResult = Exact({
  type: Type.Literal('result'),
  ...lean,
  ...since,
  /** The seats with a payout; `amount` is the net gain, 0 where a payout only gives the own chips back. */
  winners: Type.Array(Exact({ seat: SeatNumber, amount: Chips, payout: Chips }), { minItems: 1 }),
  shown_cards: Type.Record(SeatKey, HoleCards, { additionalProperties: false }),
  /** Dealt-in seats only. */
  final_stacks: Type.Record(SeatKey, Chips, { additionalProperties: false }),
});
