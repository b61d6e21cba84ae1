import { stateValue, type ValuedState } from '../value/state-value.js';
import type { DecisionPoint, PlainChoice, Rethought } from './compare.js';

/**
 * The values of two actions at one decision by the value function, in big blinds for the whole hand.
 *
 * Both states are those right after the action: no other player has answered, and no further card has come. The same
 * draws of the unknown cards stand for both. A raise counts as the call, because no call has come yet, and a bet as the
 * check. So the values part where one of the actions is a fold.
 */
export interface ActionWorth {
  recorded: number;
  /** By the probabilities of a mix. */
  given: number;
}

/** Null where the bot gave no answer, or one that the rules forbid: no state comes of it. */
export function actionWorth({ handId, number, recorded, given, at }: Rethought): ActionWorth | null {
  if (given === null || given.some(({ isLegal }) => !isLegal)) return null;
  const name = `${handId} ${number}`;
  const holes = new Map([[at.seat, at.hole]]);
  const valueOf = (choice: PlainChoice): number => stateValue(stateAfter(at, choice), at.seat, holes, name);
  const before = valueOf(recorded);
  // Added to the first value, so that rounding parts no equal values.
  return { recorded: before, given: given.reduce((sum, part) => sum + part.p * (valueOf(part) - before), before) };
}

/** The state right after an action of the player in turn. */
export function stateAfter({ state, seat, stack, bet, legal, ends }: DecisionPoint, choice: PlainChoice): ValuedState {
  if (choice.action === 'fold') return { ...state, folded: state.folded | (1 << seat) };
  const chips = choice.action === 'check' ? 0 : choice.action === 'call' ? legal.call : choice.amount! - bet;
  const paid = Math.min(chips, stack);
  const after = { ...state, closed: ends, committed: state.committed.slice(), stack: state.stack.slice() };
  after.committed[seat] = after.committed[seat]! + paid;
  after.stack[seat] = after.stack[seat]! - paid;
  return after;
}
