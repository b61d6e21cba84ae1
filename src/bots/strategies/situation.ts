import { MAX_SEATS } from '../../holdem/types.js';
import type { StreetName } from '../../formats/hand.js';
import type { StrategyView, Turn } from '../strategy.js';

/** What a decision turns on, worked out once from the table. */
export interface TurnSituation {
  street: StreetName;
  bigBlind: number;
  pot: number;
  /** Chips to add for a call, 0 when checking is free. */
  toCall: number;
  /** The hero's chips on this street, and behind. */
  bet: number;
  stack: number;
  /** Players besides the hero who may still win. */
  opponents: number;
  /** Bets and raises on this street so far, and of those the hero's own; blinds are none. */
  raises: number;
  ownRaises: number;
  /** Players who called before anybody raised, preflop. */
  limpers: number;
  /** 0 the hero acts first on later streets, 1 last. */
  position: number;
}

/** By the number of open board cards. */
const STREETS: Partial<Record<number, StreetName>> = { 0: 'preflop', 3: 'flop', 4: 'turn' };

export function situationOf({ seat, legal }: Turn, view: StrategyView): TurnSituation {
  const street = STREETS[view.board.length] ?? 'river';
  const turn = turnAfter(seat, view.button);
  let [opponents, after, bet, stack] = [0, 0, 0, 0];
  // Loops, since selfplay comes here a hundred thousand times a second.
  for (const other of view.seats) {
    if (!other.inHand || other.folded) continue;
    if (other.seat === seat) ({ bet, stack } = other);
    else {
      opponents++;
      if (turnAfter(other.seat, view.button) > turn) after++;
    }
  }
  const others = Math.max(1, opponents);
  const { raises, ownRaises, limpers } = history(view, street, seat);
  return {
    street,
    bigBlind: view.bigBlind,
    pot: view.pot,
    toCall: legal.call,
    bet,
    stack,
    opponents: others,
    raises,
    ownRaises,
    limpers,
    position: 1 - after / others,
  };
}

/** How many seats behind the first one after the button, which acts first on later streets. */
const turnAfter = (seat: number, button: number) => (seat - button + MAX_SEATS - 1) % MAX_SEATS;

/** Counts what was done on the street. An all-in counts as a raise, since it looks as strong. */
function history(view: StrategyView, street: StreetName, seat: number) {
  let [raises, ownRaises, limpers] = [0, 0, 0];
  for (const action of view.actions) {
    if (action.street !== street) continue;
    if (action.action === 'raise' || action.action === 'all_in') {
      raises++;
      if (action.seat === seat) ownRaises++;
    } else if (action.action === 'call' && raises === 0) limpers++;
  }
  return { raises, ownRaises, limpers };
}
