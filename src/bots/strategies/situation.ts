import { MAX_SEATS } from '../../holdem/types.js';
import type { Hand, Street } from '../../../sdk/typescript/src/hand.js';
import type { Hole } from '../../cards/card.js';
import { parseCard } from '../../cards/card.js';

/** The situation of a decision, worked out once from the table. */
export interface TurnSituation {
  street: Street;
  hole: Hole;
  bigBlind: number;
  pot: number;
  /** Chips to add for a call, 0 when checking is free. */
  toCall: number;
  /** The hero's chips on this street, and behind. */
  bet: number;
  stack: number;
  /** Players besides the hero who may still win. */
  opponents: number;
  /** Bets and raises on this street so far, and the hero's own among them. Blinds do not count. */
  raises: number;
  ownRaises: number;
  /** Players who called before anybody raised, preflop. */
  limpers: number;
  /** 0 the hero acts first on later streets, 1 last. */
  position: number;
}

export function situationOf(hand: Hand): TurnSituation {
  const { street, seat, button, bigBlind, pot, toCall, bet, stack } = hand;
  const [first, second] = hand.hole;
  if (first === undefined || second === undefined) throw new Error(`hand ${hand.handId} shows no own cards`);
  const turn = turnAfter(seat, button);
  let [opponents, after] = [0, 0];
  // Loops, since selfplay comes here a hundred thousand times a second.
  for (const other of hand.players) {
    if (!other.inHand || other.seat === seat) continue;
    opponents++;
    if (turnAfter(other.seat, button) > turn) after++;
  }
  const others = Math.max(1, opponents);
  const hole: Hole = [parseCard(first), parseCard(second)];
  const chips = { bigBlind, pot, toCall, bet, stack };
  return { street, hole, ...chips, opponents: others, ...history(hand), position: 1 - after / others };
}

/** How many seats behind the first one after the button, which acts first on later streets. */
const turnAfter = (seat: number, button: number) => (seat - button + MAX_SEATS - 1) % MAX_SEATS;

/** Counts what was done on the street. An all-in counts as a raise, since it looks as strong. */
function history({ history: done, street, seat }: Hand) {
  let [raises, ownRaises, limpers] = [0, 0, 0];
  for (const action of done[street]) {
    if (action.action === 'raise' || action.action === 'all_in') {
      raises++;
      if (action.seat === seat) ownRaises++;
    } else if (action.action === 'call' && raises === 0) limpers++;
  }
  return { raises, ownRaises, limpers };
}
