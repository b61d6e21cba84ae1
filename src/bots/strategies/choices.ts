import type { Legal } from '../../holdem/types.js';
import type { Choice } from '../strategy.js';

/** From what a bot would like to do to what it may do. */

/** Calls where there is something to call, checks where there is not. */
export function callOrCheck(legal: Readonly<Legal>): Choice {
  return { action: legal.check ? 'check' : 'call' };
}

/** Share of what it could raise to from which on a bot puts everything in: the rest would follow anyway. */
const COMMITTED = 0.7;

/** Raises to about `total`, within what is allowed; calls or checks where no raise is. */
export function raiseTo(legal: Readonly<Legal>, total: number): Choice {
  if (legal.raiseMax === 0) return callOrCheck(legal);
  if (total >= COMMITTED * legal.raiseMax && legal.allIn > 0) return { action: 'all_in' };
  const amount = Math.round(Math.min(legal.raiseMax, Math.max(legal.raiseMin, total)));
  return { action: 'raise', amount };
}
