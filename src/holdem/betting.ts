import { EventKind } from './log.js';
import { lowestSeat } from './seats.js';
import { seatsWithChips, type HandState } from './state.js';
import { Act, MOST_ACTIONS, MOST_RAISES, ActionRefusal, type Legal } from './types.js';

/** Moves chips of a seat from its stack into its bet. */
export function putChips(s: HandState, seat: number, chips: number): void {
  const left = s.stack[seat]! - chips;
  s.stack[seat] = left;
  s.bet[seat] = s.bet[seat]! + chips;
  s.committed[seat] = s.committed[seat]! + chips;
  s.pot += chips;
  if (left === 0) s.allIn |= 1 << seat;
}

/** The actor's difference to the price of the street. It may exceed the stack. */
export function priceFor(s: HandState, seat: number): number {
  return s.currentBet - s.bet[seat]!;
}

/**
 * Whether the actor may raise at all, including an all-in for less than a full raise. It needs more chips than the
 * call, open betting, and an opponent that can still put in more than the current bet. Betting is open to a player that
 * has not acted on this street. It opens again when the raises since then add up to a full raise, by one raise or
 * several short all-ins (TDA rule 47).
 */
export function mayRaise(s: HandState, seat: number): boolean {
  const price = priceFor(s, seat);
  if (s.stack[seat]! <= price) return false;
  if ((s.acted & (1 << seat)) !== 0 && price < s.lastRaise) return false;
  return someoneCanAnswer(s, seat);
}

function someoneCanAnswer(s: HandState, raiser: number): boolean {
  for (let rest = seatsWithChips(s) & ~(1 << raiser); rest !== 0; rest &= rest - 1) {
    const seat = lowestSeat(rest);
    if (s.stack[seat]! > priceFor(s, seat)) return true;
  }
  return false;
}

/** Whether the hand has had so many raises or actions that only all-in raises are left. */
function atBound(s: HandState): boolean {
  return !s.unbounded && (s.raises >= MOST_RAISES || s.actions >= MOST_ACTIONS);
}

/** The least raise-to of the actor, given that he may raise: a full raise, or all-in if he has less. */
export function minRaiseTo(s: HandState, seat: number): number {
  return Math.min(s.currentBet + s.lastRaise, s.bet[seat]! + s.stack[seat]!);
}

/** Writes what the actor may do into `legal`: nothing when the hand is over. */
export function fillLegal(s: HandState, legal: Legal): void {
  const seat = s.actor;
  const acting = seat >= 0;
  const stack = acting ? s.stack[seat]! : 0;
  const price = acting ? priceFor(s, seat) : 0;
  const raiseAllIn = acting && mayRaise(s, seat);
  const raise = raiseAllIn && !atBound(s);
  legal.fold = price > 0;
  legal.check = acting && price === 0;
  legal.call = price < stack ? price : stack;
  legal.raiseMin = raise ? minRaiseTo(s, seat) : 0;
  legal.raiseMax = raise ? s.bet[seat]! + stack : 0;
  legal.allIn = raiseAllIn || stack <= price ? stack : 0;
}

/** Why this is not among the offered actions, or `Refusal.ok`; `amount` matters to a raise alone. */
export function refusalOf(offered: Legal, act: Act, amount: number | undefined): ActionRefusal {
  switch (act) {
    case Act.fold:
      return offered.fold ? ActionRefusal.ok : ActionRefusal.foldNotOffered;
    case Act.check:
      return offered.check ? ActionRefusal.ok : ActionRefusal.checkNotOffered;
    case Act.call:
      return offered.call > 0 ? ActionRefusal.ok : ActionRefusal.callNotOffered;
    case Act.raise:
      if (amount === undefined || !Number.isInteger(amount)) return ActionRefusal.badAmount;
      if (offered.raiseMax === 0) return ActionRefusal.raiseNotOffered;
      if (amount < offered.raiseMin) return ActionRefusal.raiseTooSmall;
      return amount > offered.raiseMax ? ActionRefusal.raiseTooLarge : ActionRefusal.ok;
    case Act.allIn:
      return offered.allIn > 0 ? ActionRefusal.ok : ActionRefusal.allInNotOffered;
  }
}

/** Carries out an action that `refusalOf` passed, and logs it. Does not move the turn on. */
export function applyAction(s: HandState, act: Act, amount = 0): void {
  const seat = s.actor;
  const stack = s.stack[seat]!;
  s.toAct &= ~(1 << seat);
  s.acted |= 1 << seat;
  s.actions++;
  let logged = 0;
  switch (act) {
    case Act.fold:
      s.folded |= 1 << seat;
      break;
    case Act.check:
      break;
    case Act.call:
      logged = Math.min(priceFor(s, seat), stack);
      putChips(s, seat, logged);
      break;
    case Act.raise:
      logged = amount;
      raiseTo(s, seat, amount);
      break;
    case Act.allIn:
      logged = stack;
      if (stack > priceFor(s, seat)) raiseTo(s, seat, s.bet[seat]! + stack);
      else putChips(s, seat, stack);
      break;
  }
  s.log.append(EventKind.action, seat, logged, act | (s.street << 8));
}

function raiseTo(s: HandState, seat: number, total: number): void {
  putChips(s, seat, total - s.bet[seat]!);
  const raise = total - s.currentBet;
  if (raise > s.lastRaise) s.lastRaise = raise;
  s.currentBet = total;
  s.raises++;
  s.lastAggressor = seat;
  s.toAct = seatsWithChips(s) & ~(1 << seat);
}
