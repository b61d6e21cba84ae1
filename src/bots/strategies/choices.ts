import type { Action, Hand } from '../../../sdk/typescript/src/hand.js';

/** Share of what it could raise to from which on a bot puts everything in: the rest would follow anyway. */
const COMMITTED = 0.7;

/** Raises to about `total`, within what is allowed; calls or checks where no raise is. */
export function raiseTo(hand: Hand, total: number): Action {
  const { canRaise, maxRaise } = hand;
  if (!canRaise) return hand.call();
  if (total >= COMMITTED * maxRaise && hand.canAllIn) return { action: 'all_in' };
  return { action: 'raise', amount: Math.round(Math.min(maxRaise, Math.max(hand.minRaise, total))) };
}
