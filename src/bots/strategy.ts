import type { Card } from '../cards/card.js';
import type { StreetName } from '../formats/hand.js';
import type { Legal } from '../holdem/types.js';

/** The seam between a bot's mind and whatever it plays through: the wire (client.ts) or a hand in memory (a test). */

/** A taken seat of the table. Chips whole. */
export interface SeatView {
  seat: number;
  name: string;
  /** Chips behind. */
  stack: number;
  /** Chips committed on the current street. */
  bet: number;
  /** Dealt in, also after folding. */
  inHand: boolean;
  folded: boolean;
}

export interface ActionView {
  seat: number;
  action: Choice['action'];
  street: StreetName;
}

/** What a player knows at its turn besides what it may do. */
export interface StrategyView {
  readonly holeCards: readonly [Card, Card];
  readonly board: readonly Card[];
  readonly button: number;
  readonly smallBlind: number;
  readonly bigBlind: number;
  /** Everything committed so far, the bets of the current street included. */
  readonly pot: number;
  /** Taken seats in seat order, also those not dealt in. */
  readonly seats: readonly SeatView[];
  /** What was done in this hand, blinds not included. */
  readonly actions: readonly ActionView[];
}

/** A decision that is asked for. */
export interface Turn {
  handId: string;
  seat: number;
  /** Calls and all-in as chips to add, raises as raise-to totals; 0 or false where not offered. */
  legal: Readonly<Legal>;
}

/** `amount` is the raise-to total. */
export type Choice = { action: 'fold' | 'check' | 'call' | 'all_in' } | { action: 'raise'; amount: number };

/** A bot's mind. It may keep a memory of its own, so every bot needs its own strategy. */
export type Strategy = (turn: Turn, view: StrategyView) => Choice;

/** A mind that lives elsewhere. What it decides too late is not said any more. */
export type SlowStrategy = (turn: Turn, view: StrategyView) => Choice | Promise<Choice>;

/** What is always allowed and risks nothing. */
export const giveUp = (legal: Readonly<Legal>): Choice => ({ action: legal.check ? 'check' : 'fold' });
