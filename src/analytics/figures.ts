import type { CounterTotals } from './totals.js';

/** Rates from totals. A rate of nothing is 0. */

export const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** Big blinds won per 100 hands. */
export const per100 = ({ hands, bb }: Pick<CounterTotals, 'hands' | 'bb'>): number => share(100 * bb, hands);

/** The 97.5 % quantile of the normal distribution. */
const Z = 1.96;

/**
 * The 95 % interval of a mean per 100 hands, from the number of values, their sum and the sum of their squares. Uses
 * the normal approximation with the sample's variance. Null of fewer than two hands.
 */
export function interval95(hands: number, sum: number, squares: number): [low: number, high: number] | null {
  if (hands < 2) return null;
  const variance = Math.max(0, (squares - sum ** 2 / hands) / (hands - 1));
  const [mean, half] = [(100 * sum) / hands, 100 * Z * Math.sqrt(variance / hands)];
  return [mean - half, mean + half];
}

/** How an agent does beside its luck; null of no hand. */
export interface AllInLuck {
  bb_per_100: number | null;
  all_in_adj_bb_per_100: number | null;
  /** The interval of the adjusted figure. */
  ci95: [low: number, high: number] | null;
}

export const UNKNOWN_LUCK: AllInLuck = { bb_per_100: null, all_in_adj_bb_per_100: null, ci95: null };

type LuckTotals = Pick<CounterTotals, 'hands' | 'bb' | 'adjusted_bb' | 'adjusted_bb_squares'>;

export function luckOf({ hands, bb, adjusted_bb, adjusted_bb_squares }: LuckTotals): AllInLuck {
  if (hands === 0) return UNKNOWN_LUCK;
  return {
    bb_per_100: per100({ hands, bb }),
    all_in_adj_bb_per_100: per100({ hands, bb: adjusted_bb }),
    ci95: interval95(hands, adjusted_bb, adjusted_bb_squares),
  };
}
