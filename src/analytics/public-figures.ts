import type { Queryable } from '../store/database.js';
import { confidenceInterval } from '../statistics/confidence-sequence.js';
import { NO_CURVES } from './curve.js';
import { estimatesOf, luckStakes, NO_ESTIMATES } from './figures.js';
import { selectAnalytics, type AnalyticsRow } from './queries.js';

/** A public curve has a point for so many hands at the least: nobody reads single hands from it. */
const LEAST_STEP = 50;

/** The public figures of an agent's hands in a pool, as far as they are counted. */
export async function publicFigures(sql: Queryable, poolId: string, agentId: string) {
  const row = await selectAnalytics(sql, poolId, agentId);
  const figures = row === undefined ? NO_ESTIMATES : estimatesOf(row);
  return {
    ...figures,
    all_in_adj_bb_per_100: figures.bb_per_100_all_in_adjusted,
    all_in_adj_bb_per_100_ci95: figures.bb_per_100_all_in_adjusted_ci95,
    curve: row === undefined ? [] : publicCurve(row),
    luck_curve: row === undefined ? [] : luckCurve(row),
  };
}

/** Chips won, every 50 hands or more, and now; with the all-in-adjusted chips. */
export function publicCurve(row: Pick<AnalyticsRow, 'curves' | 'hands' | 'profit' | 'bb' | 'adjusted_bb'>) {
  const { curves, hands, profit } = row;
  const { step, points, adjusted } = curves ?? NO_CURVES;
  const every = Math.ceil(LEAST_STEP / step);
  const shown = points.flatMap((cumulative_profit, i) =>
    (i + 1) % every === 0
      ? [{ hand_number: (i + 1) * step, cumulative_profit, all_in_adjusted: whole(adjusted[i]) }]
      : [],
  );
  const last = shown.at(-1)?.hand_number ?? 0;
  if (hands <= last) return shown;
  const bigBlind = bigBlindOf(row);
  const all_in_adjusted = bigBlind === null ? null : whole(row.adjusted_bb * bigBlind);
  return [...shown, { hand_number: hands, cumulative_profit: profit, all_in_adjusted }];
}

/**
 * Chips less luck, every 100 hands or more, with the limits of their 95 % interval. Empty where luck is not measured in
 * all hands. The limits at a point take the mean square of all hands, which is stored, for that of the hands so far.
 */
export function luckCurve(row: AnalyticsRow) {
  const { curves, hands, luck_hands, luck_shown_hands: shown, luck_shown_squares: squares } = row;
  const { luck_step: step, luck_points: points } = curves ?? NO_CURVES;
  const bigBlind = bigBlindOf(row);
  if (luck_hands !== hands || shown === 0 || bigBlind === null) return [];
  const { risk, chance } = luckStakes(row);
  return points.flatMap((chips, i) => {
    const count = (i + 1) * step;
    const sum = chips / bigBlind;
    const limits = confidenceInterval({ count, sum, squares: (squares * count) / shown, risk, chance })!;
    const cumulative = (rate: number) => whole(rate * count * bigBlind)!;
    return [
      { hand_number: count, luck_adjusted: whole(chips)!, low: cumulative(limits.low), high: cumulative(limits.high) },
    ];
  });
}

const whole = (chips: number | undefined) => (chips === undefined ? null : Math.round(chips));

/** Null before a chip is won or lost. A pool has one big blind. */
const bigBlindOf = ({ profit, bb }: Pick<AnalyticsRow, 'profit' | 'bb'>) => (bb === 0 ? null : Math.round(profit / bb));
