import Type from 'typebox';
import { WAITING_REASONS } from '../codes.js';
import {
  Board,
  Chips,
  Count,
  described,
  Exact,
  HoleCards,
  MAX_TABLE_SEATS,
  Name,
  Nullable,
  SeatNumber,
  Uuid,
} from '../common.js';
import { StateEnvelope, TableEvent } from './envelope.js';
import { CommunityCards, HandResult, HandStart, PlayerAction } from './hand.js';
import { PlayerJoined, PlayerLeft, TableClosed } from './table.js';

/** The table as one viewer sees it. Integers only: clients recompute the hash over it. */

const taken = {
  seat: SeatNumber,
  name: Name,
  stack: Chips,
  bet: Chips,
  status: Type.Enum(['active', 'away', 'sitting_out', 'disconnected']),
  avatar_url: Type.Optional(Type.String()),
  public_profile_slug: Type.Optional(Type.String()),
  is_pro: Type.Boolean(),
  /** Ours: true on a bot of the house, absent on all others. */
  is_house: Type.Optional(Type.Boolean()),
};

/** One entry per configured seat. `folded` stands only beside `in_hand: true`; an empty seat has neither. */
export const SeatEntry = Type.Union([
  Exact({ ...taken, in_hand: Type.Literal(true), folded: Type.Boolean() }),
  Exact({ ...taken, in_hand: Type.Literal(false) }),
  Exact({
    seat: SeatNumber,
    name: Type.Null(),
    stack: Type.Literal(0),
    bet: Type.Literal(0),
    status: Type.Literal('empty'),
    is_pro: Type.Optional(Type.Literal(false)),
  }),
]);

/** In table_state keys that do not apply are left out. */
export const StateAction = Type.Union([
  Exact({ action: Type.Enum(['fold', 'check']) }),
  Exact({ action: Type.Enum(['call', 'all_in']), amount: Chips }),
  Exact({ action: Type.Literal('raise'), min: Chips, max: Chips }),
]);

const hero = {
  seat: SeatNumber,
  hole_cards: Type.Optional(HoleCards),
  /** Only while the hero is the actor. */
  valid_actions: Type.Optional(Type.Array(StateAction, { minItems: 1, maxItems: 4 })),
};

export const WaitingDetails = Exact({
  player_count: Count,
  eligible_players: Count,
  min_required: Count,
  active_players: Count,
  away_players: Count,
  disconnected_players: Count,
  connected_players: Count,
  remaining_seconds: described(Type.Optional(Count), 'Whole seconds, rounded up; only in the pause between hands'),
  configured_delay_seconds: described(
    Type.Optional(Count),
    'Whole seconds, rounded up; only in the pause between hands',
  ),
});

/** The public part: what a spectator sees, and GET /api/tables/{table_id} answers. */
const publicState = {
  ...StateEnvelope,
  type: Type.Literal('table_state'),
  street: Type.Enum(['idle', 'preflop', 'flop', 'turn', 'river']),
  /** 0 before a table's first hand. */
  dealer_seat: SeatNumber,
  small_blind: Chips,
  big_blind: Chips,
  pot: Chips,
  actor_seat: Type.Optional(SeatNumber),
  board: Board,
  seats: Type.Array(SeatEntry, { minItems: 2, maxItems: MAX_TABLE_SEATS }),
  /** Both between hands only. */
  waiting_reason: Type.Optional(Type.Enum(WAITING_REASONS)),
  waiting_details: Type.Optional(WaitingDetails),
};

/** Only for the acting hero; the raise entry of hero.valid_actions prevails. */
const forActor = {
  to_call: Type.Optional(Chips),
  min_raise_to: Type.Optional(Chips),
  max_raise_to: Type.Optional(Chips),
};

export const PublicTableStateSchema = Exact(publicState, { title: 'TableState' });

export const TableState = Exact({ ...publicState, ...forActor, hero: Type.Optional(Exact(hero)) });

/** In a resync the acting player's hero also carries the token of its open turn. */
const Snapshot = Exact({
  ...publicState,
  ...forActor,
  hero: Type.Optional(Exact({ ...hero, turn_token: Type.Optional(Uuid) })),
});

/** The events of the replay window: never table_state, never a private frame. */
export const ReplayedEvent = Type.Union([
  HandStart,
  PlayerAction,
  CommunityCards,
  HandResult,
  PlayerJoined,
  PlayerLeft,
  TableClosed,
]);

export const ResyncResponse = Exact({
  ...TableEvent,
  type: Type.Literal('resync_response'),
  role: Type.Enum(['player', 'spectator']),
  from_table_seq: described(Nullable(Count), 'The start of the replay. Null without a replay'),
  to_table_seq: described(Count, 'The table_seq of this message'),
  replayed_events: Type.Array(ReplayedEvent),
  snapshot: described(
    Snapshot,
    'Your own table_state, with its own state_hash. The hero of the player to act has the turn_token',
  ),
});
