import type { Defect } from './defects.js';

/** A turn, as your_turn or the snapshot of a resync tells it. */
export interface ProofTurn {
  hand_id: string;
  turn_token: string;
  valid_actions: readonly { action: string; amount?: number | null; min?: number | null; max?: number | null }[];
  pot: number;
  min_raise?: number;
}

export interface ProofChoice {
  action: string;
  amount?: number;
}

/** Raises so seldom that it meets most situations, and often enough to be caught at it. */
const RAISES = 0.15;
const RAISES_FAULTY = 0.6;
const BIG_BLIND = 20;

/** The bot's mind: checks or calls half the pot, and raises the minimum now and then; with the defect, if there is one. */
export function chooseFaulty(turn: ProofTurn, defect: Defect | null, random: () => number): ProofChoice {
  const options = new Map(turn.valid_actions.map((option) => [option.action, option]));
  const price = options.get('call')?.amount ?? 0;
  const raise = options.get('raise');
  const faulty = faultyRaise(turn, raise?.min ?? 0, price, defect);
  if (defect === 'checks-always') return { action: 'check' };
  if (defect === 'folds-for-free' && options.has('check')) return { action: 'fold' };
  if (defect === 'raises-always') return { action: 'raise', amount: turn.min_raise ?? 0 };
  if (defect === 'fears-all-ins' && price > 0 && raise === undefined)
    return { action: 'raise', amount: price + BIG_BLIND };
  if (raise !== undefined && random() < (faulty === null ? RAISES : RAISES_FAULTY))
    return { action: 'raise', amount: faulty ?? raise.min ?? 0 };
  if (options.has('check')) return { action: 'check' };
  return { action: options.has('call') && price <= turn.pot / 2 ? 'call' : 'fold' };
}

function faultyRaise(turn: ProofTurn, least: number, price: number, defect: Defect | null): number | null {
  switch (defect) {
    case 'raises-one-more':
      return least + 1;
    case 'raises-by-addition':
      return least - BIG_BLIND;
    case 'raises-to-forty':
      return 2 * BIG_BLIND;
    case 'reckons-raises':
      return price + 2 * BIG_BLIND;
    case 'raises-fractions':
      return Math.max(least, turn.pot * 0.75) + 0.25;
    case 'raises-thrice-the-pot':
      return Math.max(least, 3 * turn.pot);
    default:
      return null;
  }
}
