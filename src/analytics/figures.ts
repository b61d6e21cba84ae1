import { interval95, type Sample } from '../statistics/confidence-sequence.js';
import { LUCK_LIMIT } from '../value/luck.js';
import { LUCK_SHOWN, type CounterTotals } from './totals.js';

/** Rates from totals. A rate of nothing is 0. */

export const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

/** Big blinds won per 100 hands. */
export const per100 = ({ hands, bb }: Pick<CounterTotals, 'hands' | 'bb'>): number => share(100 * bb, hands);

type Interval = [low: number, high: number];

/** How well an agent plays, as far as its hands are counted; protocol/rest/estimates.ts defines each. */
export interface Estimates {
  hands_counted: number;
  bb_per_100: number | null;
  bb_per_100_ci95: Interval | null;
  bb_per_100_all_in_adjusted: number | null;
  bb_per_100_all_in_adjusted_ci95: Interval | null;
  hands_luck_adjusted: number;
  bb_per_100_luck_adjusted: number | null;
  bb_per_100_luck_adjusted_ci95: Interval | null;
}

/** Of an agent without a counted hand. */
export const NO_ESTIMATES: Estimates = {
  hands_counted: 0,
  bb_per_100: null,
  bb_per_100_ci95: null,
  bb_per_100_all_in_adjusted: null,
  bb_per_100_all_in_adjusted_ci95: null,
  hands_luck_adjusted: 0,
  bb_per_100_luck_adjusted: null,
  bb_per_100_luck_adjusted_ci95: null,
};

/** The columns of `analytics` that estimates are made of. */
export const ESTIMATE_COUNTERS = [
  ...(['hands', 'bb', 'bb_squares', 'adjusted_bb', 'adjusted_bb_squares'] as const),
  ...(['bb_risk', 'bb_chance', 'staked_hands'] as const),
  ...LUCK_SHOWN,
] as const;

/** These columns of an agent. */
export type EstimateRow = Record<(typeof ESTIMATE_COUNTERS)[number], number>;

type Stakes = Pick<CounterTotals, 'hands' | 'bb_risk' | 'bb_chance' | 'staked_hands'>;

/**
 * The 95 % interval of a rate per 100 hands. `stakes` are those of all hands of the agent: they hold for a part of the
 * hands, too. Null where some hands were counted without their stakes.
 */
export function stakedInterval(
  { hands: count, bb: sum, bb_squares: squares }: Pick<CounterTotals, 'hands' | 'bb' | 'bb_squares'>,
  { hands, staked_hands, bb_risk: risk, bb_chance: chance }: Stakes,
): Interval | null {
  const sample: Sample = { count, sum, squares, risk, chance };
  return staked_hands === hands ? interval95(sample) : null;
}

/** An all-in-adjusted result has the limits of the result: it is the mean of results that the cards could have brought. */
export function estimatesOf(row: EstimateRow): Estimates {
  const { hands, adjusted_bb, adjusted_bb_squares } = row;
  if (hands === 0) return NO_ESTIMATES;
  const adjusted = { hands, bb: adjusted_bb, bb_squares: adjusted_bb_squares };
  return {
    hands_counted: hands,
    bb_per_100: per100(row),
    bb_per_100_ci95: stakedInterval(row, row),
    bb_per_100_all_in_adjusted: per100(adjusted),
    bb_per_100_all_in_adjusted_ci95: stakedInterval(adjusted, row),
    ...luckAdjustedOf(row),
  };
}

/** The most that a result less luck can lose and win, in big blinds: the limits of value/luck.ts. */
export const luckStakes = ({ bb_risk, bb_chance }: Pick<EstimateRow, 'bb_risk' | 'bb_chance'>) => ({
  risk: (1 + LUCK_LIMIT) * bb_risk,
  chance: bb_chance + LUCK_LIMIT * bb_risk,
});

function luckAdjustedOf(row: EstimateRow) {
  const { luck_shown_hands: hands } = row;
  const { risk: bb_risk, chance: bb_chance } = luckStakes(row);
  const sum = { hands, bb: row.luck_shown_millionths / 1e6, bb_squares: row.luck_shown_squares };
  return {
    hands_luck_adjusted: hands,
    bb_per_100_luck_adjusted: hands === 0 ? null : per100(sum),
    bb_per_100_luck_adjusted_ci95: stakedInterval(sum, {
      ...row,
      bb_risk,
      bb_chance,
    }),
  };
}
