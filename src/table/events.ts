import type { PostedChips } from '../holdem/record.js';
import type { Act, Street } from '../holdem/types.js';
import type { LeaveReason } from './api.js';
import type { TurnTiming } from '../protocol/mishap.js';
import type { Deal, StartedDeal } from './deal/deal.js';
import type { DrawnMix } from './mix.js';

/**
 * The public events of a table as values. Frames are written from them when an event happens, and again from the replay
 * window. Names are JSON strings with their quotes; chips whole.
 */

export const ActionReason = { player: 0, timeout: 1, left: 2 } as const;
export type ActionReason = (typeof ActionReason)[keyof typeof ActionReason];

export interface DealtPlayer {
  seat: number;
  agentId: string;
  nameJson: string;
}

export interface HandStartEvent {
  kind: 'hand_start';
  dealer: number;
  smallBlind: number;
  bigBlind: number;
  posts: readonly PostedChips[];
  /** In seat order. */
  players: DealtPlayer[];
  /** Null where decks are not committed to. */
  deal: StartedDeal | null;
}

export interface ActionEvent {
  kind: 'player_action';
  seat: number;
  nameJson: string;
  act: Act;
  /** Chips added for call and all-in, raise-to total for raise, null for fold and check. */
  amount: number | null;
  /** The street the action was taken on. */
  street: Street;
  reason: ActionReason;
  potBefore: number;
  /** The price to call before the action, which may exceed the stack. 0: nothing to call. */
  toCall: number;
  stackBefore: number;
  /** Chips that went in. */
  added: number;
  /**
   * The token of the turn that the action used up. It is worth nothing any more: other players see it as action_id.
   */
  turnToken: string;
  /** The action id for the actor: its client_action_id, or null if it gave none. */
  clientId: string | null;
  /** The times of a turn that ran out. */
  timing: TurnTiming | null;
  /** The client asked to fold, where checking was free. */
  freeFold: boolean;
  /** The amount of the client's message, for telling a retry from another action; null when it had none. */
  requested: number | null;
  /** The mix that the action was drawn from. Null if the client named the action. Only its player reads it. */
  mix: DrawnMix | null;
}

export type { TurnTiming } from '../protocol/mishap.js';

export interface BoardEvent {
  kind: 'community_cards';
  street: Street;
  cards: readonly number[];
}

/** One line of hand_result.actions; codes as in ActionEvent. */
export interface ActionLine {
  seat: number;
  act: number;
  amount: number | null;
  street: number;
  mix?: DrawnMix | null;
}

export const OutcomeKind = { win: 0, split: 1, multipleWinners: 2 } as const;
export type OutcomeKind = (typeof OutcomeKind)[keyof typeof OutcomeKind];

/** Arrays are indexed by seat; `hole` holds two cards a seat, known for the shown ones at least. */
export interface ResultEvent {
  kind: 'hand_result';
  players: DealtPlayer[];
  payouts: ArrayLike<number>;
  contributed: ArrayLike<number>;
  finalStacks: ArrayLike<number>;
  outcome: OutcomeKind;
  showdown: boolean;
  /** Bit mask of the seats that showed their cards. */
  shown: number;
  hole: ArrayLike<number>;
  board: ArrayLike<number>;
  boardCount: number;
  actions: readonly ActionLine[];
  button: number;
  /** Null where decks are not committed to. */
  deal: Deal | null;
}

export interface JoinedEvent {
  kind: 'player_joined';
  seat: number;
  nameJson: string;
  stack: number;
}

export interface LeftEvent {
  kind: 'player_left';
  seat: number;
  nameJson: string;
  reason: Exclude<LeaveReason, 'closed'>;
}

export interface ClosedEvent {
  kind: 'table_closed';
  reason: string;
}

export type PublicEvent =
  HandStartEvent | ActionEvent | BoardEvent | ResultEvent | JoinedEvent | LeftEvent | ClosedEvent;

/** Events within hands. Their number has no bound. */
export type EventOfHand = HandStartEvent | ActionEvent | BoardEvent | ResultEvent;

/** Whether the player on the seat reads in it that its stay is over. */
export const endsStayOf = (event: PublicEvent, seat: number): boolean =>
  event.kind === 'table_closed' || (event.kind === 'player_left' && event.seat === seat);
