import type { Card } from '../cards/card.js';

/** Seats a hand is laid out for; a seat that is not dealt in is simply absent from `dealt`. */
export const MAX_SEATS = 6;

export const Street = { preflop: 0, flop: 1, turn: 2, river: 3 } as const;
export type Street = (typeof Street)[keyof typeof Street];

/** The actions of a player. An opening bet is a `raise`; amounts of a raise are raise-to totals of the street. */
export const Act = { fold: 0, check: 1, call: 2, raise: 3, allIn: 4 } as const;
export type Act = (typeof Act)[keyof typeof Act];

/** Why an action was refused; `ok` is 0, so a refusal is truthy. A refused action leaves the hand untouched. */
export const ActionRefusal = {
  ok: 0,
  handOver: 1,
  notYourTurn: 2,
  /** Folding when checking is free. */
  foldNotOffered: 3,
  checkNotOffered: 4,
  callNotOffered: 5,
  /** No raise for this player: betting was not reopened, or nobody is left who could add chips. */
  raiseNotOffered: 6,
  raiseTooSmall: 7,
  raiseTooLarge: 8,
  allInNotOffered: 9,
  /** A raise amount that is not a whole number. */
  badAmount: 10,
} as const;
export type ActionRefusal = (typeof ActionRefusal)[keyof typeof ActionRefusal];

/** Everything that fixes a hand before its first decision. Chips are whole numbers; arrays are indexed by seat. */
export interface HandSetup {
  button: number;
  smallBlind: number;
  bigBlind: number;
  /** Bit mask of the seats dealt in (bit s = seat s); at least two. */
  dealt: number;
  /** Chips of each seat before the blinds; ignored where not dealt. Each dealt stack is at least 1. */
  stacks: ArrayLike<number>;
  /**
   * The shuffled cards in dealing order. First come two to each dealt seat: one card to each from the left of the
   * button, then the second. Then flop, turn and river. There are no burns. At least 2 × players + 5 cards.
   */
  deck: ArrayLike<Card>;
  /** Bit mask of dealt seats that come back: each posts what its bet lacks to a big blind, live. */
  returns?: number;
  /** `standard`: heads-up the button posts the small blind. `ring`: blinds left of the button as with three and more. */
  headsUpBlinds: 'standard' | 'ring';
  /** Raises are offered without end: for hands that were played where there is no such bound (see MOST_RAISES). */
  unbounded?: boolean;
}

/**
 * After so many raises on a street, or actions in a hand, no raise is offered. So two players with many chips cannot
 * make an endless hand (protocol.md, "Rules of play"). All-in stays offered, also as a raise: once for each player.
 */
export const MOST_RAISES = 40;
export const MOST_ACTIONS = 200;

/** The actor's legal actions. Reused object: read it before the next call. */
export interface Legal {
  /** Offered only when there is something to call. */
  fold: boolean;
  check: boolean;
  /** Chips to add for a call, capped by the stack; 0 when there is nothing to call. */
  call: number;
  /** Raise-to totals, raiseMin <= raiseMax; both 0 when no raise is offered. A short all-in raise: both = bet + stack. */
  raiseMin: number;
  raiseMax: number;
  /** The stack behind when going all-in is allowed (as a raise, or as a call for less or equal), else 0. */
  allIn: number;
}

/** One pot of the settled hand. Masks are bit masks of seats. */
export interface Pot {
  amount: number;
  eligible: number;
  winners: number;
}

/** The settled hand; final stacks are `stack[s] + returned (if s is the returned seat) + payouts[s]`. */
export interface HandOutcome {
  /** Gross contested chips: the sum of all pots and of all payouts, without the uncalled part. */
  totalPot: number;
  pots: Pot[];
  /** Gross award by seat. */
  payouts: Int32Array;
  /** Chips each seat put into the pots (its uncalled part already taken off). */
  contributed: Int32Array;
  /** Seat and size of the uncalled bet that went back; seat -1 when there was none. */
  returnedSeat: number;
  returned: number;
  /** True when at least two players reached the showdown. */
  showdown: boolean;
  /** Bit mask of seats with shown cards. The others mucked or folded. */
  shown: number;
  /** Seats in the order they showed or mucked. Empty without a showdown. */
  showOrder: number[];
  /** Evaluator value of each live seat at showdown, 0 elsewhere. Higher wins. */
  values: Int32Array;
  /** Final stack by seat (0 where not dealt). */
  finalStacks: Int32Array;
}

/**
 * One hand of no-limit hold'em: blinds posted by `start`, then one accepted `act` after the other until `over`.
 * No clock, no randomness, no I/O, no wire names. The object is reusable: `start` begins the next hand in place.
 */
export interface HandView {
  readonly setup: Readonly<HandSetup>;
  readonly smallBlindSeat: number;
  readonly bigBlindSeat: number;
  readonly street: Street;
  /** Seat to act, -1 when the hand is over. */
  readonly actor: number;
  readonly over: boolean;
  /** Chips behind, by seat. Not yet paid out when the hand is over: see `outcome`. */
  readonly stack: Int32Array;
  /** Chips committed on the current street, by seat. */
  readonly bet: Int32Array;
  /** Chips committed in the whole hand, by seat. */
  readonly committed: Int32Array;
  /** Bit masks of seats. */
  readonly dealt: number;
  readonly folded: number;
  readonly allIn: number;
  /** Everything committed so far, the current street's bets included. */
  readonly pot: number;
  /** The price on the current street: the highest bet, at least the big blind preflop. */
  readonly currentBet: number;
  /** Board cards open so far: boardCards[0 … boardCount - 1]. */
  readonly boardCards: Uint8Array;
  readonly boardCount: number;
  /** Hole cards by seat: hole[2 * seat], hole[2 * seat + 1]. */
  readonly hole: Uint8Array;
}
