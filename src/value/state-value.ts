import { DECK_SIZE, type Card, type Hole } from '../cards/card.js';
import { Settlement } from '../holdem/settlement.js';
import { buildPots, takeUncalled } from '../holdem/pots.js';
import type { HandView } from '../holdem/types.js';
import { HandDice } from './dice.js';
import { Payouts } from './payouts.js';
import { strengthClasses } from './strength.js';
import { valueFunction } from './value-function.js';

/** Deals of the cards that are not known. */
const DEALS = 100;

/** A state of a hand in play, as an author's hand or the rules have it. */
export type ValuedState = Pick<
  HandView,
  'committed' | 'stack' | 'dealt' | 'folded' | 'street' | 'boardCards' | 'boardCount'
> & {
  setup: Pick<HandView['setup'], 'button' | 'bigBlind'>;
  /** Nobody bets any more: the pots alone count. */
  closed?: boolean;
};

/**
 * The value of a state for a seat, in big blinds. It is the seat's expected part of the pots and of the bets to come,
 * less its own chips in the pot. An uncalled bet counts as taken back. A seat that folded has lost its chips.
 *
 * `holes` are the cards that are known, by seat: the seat's own, or those of all players. Unknown cards are drawn at
 * random. That leaves out the information in the others' bets: with own cards alone the value is high for a seat that
 * faces strength. The same `name` gives the same draws, so two states of one decision may be compared.
 */
export function stateValue(state: ValuedState, seat: number, holes: ReadonlyMap<number, Hole>, name: string): number {
  const { committed, dealt, folded, boardCards, boardCount, stack, street, setup, closed = false } = state;
  const { bigBlind, button } = setup;
  const live = dealt & ~folded;
  const paid = committed[seat]!;
  if ((live & (1 << seat)) === 0) return -paid / bigBlind;
  const pots = new Settlement();
  takeUncalled(pots, committed, live);
  const own = pots.contributed[seat]!;
  if ((live & (live - 1)) === 0) return (pots.totalPot - own) / bigBlind;
  buildPots(pots, live);
  const behind = stack.slice();
  if (pots.returned > 0) behind[pots.returnedSeat] = behind[pots.returnedSeat]! + pots.returned;
  const seats = [0, 1, 2, 3, 4, 5].filter((other) => (live & (1 << other)) !== 0);
  const gone = new Set<Card>([...holes.values()].flat());
  for (let i = 0; i < boardCount; i++) gone.add(boardCards[i]!);
  const rest = Array.from({ length: DECK_SIZE }, (_, card) => card).filter((card) => !gone.has(card));
  const sorted = [...rest];
  const dice = new HandDice(name);
  const drawn = new Uint8Array(2 * seats.length + 5);
  const board = new Uint8Array(5);
  const classes = new Int32Array(seats.length);
  const event = { street, closed, live, stack: behind, pots };
  const place = seats.indexOf(seat);
  const { board: model } = valueFunction();
  let sum = 0;
  for (let deal = 0; deal < DEALS; deal++) {
    dice.draw(drawn, drawn.length, rest);
    for (let i = 0; i < 5; i++) board[i] = i < boardCount ? boardCards[i]! : drawn[i]!;
    const hands = seats.map((other, i): Hole => holes.get(other) ?? [drawn[5 + 2 * i]!, drawn[6 + 2 * i]!]);
    const paid = new Float64Array(seats.length);
    const payouts = new Payouts(event, seats, hands, button);
    payouts.add(board);
    payouts.take(paid);
    if (closed) {
      sum += paid[place]! / bigBlind;
      continue;
    }
    if (boardCount > 0) {
      const others = sorted.filter((card) => !hands.some((hole) => hole.includes(card)));
      strengthClasses(classes, board, boardCount, hands, others);
    }
    sum += model.value(paid, boardCount > 0 ? classes : null, event, bigBlind)[place]!;
  }
  return sum / DEALS - own / bigBlind;
}
