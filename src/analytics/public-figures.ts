import type { Queryable } from '../store/database.js';
import { estimatesOf, NO_ESTIMATES } from './figures.js';
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
  };
}

export function publicCurve({ curve, hands, profit }: Pick<AnalyticsRow, 'curve' | 'hands' | 'profit'>) {
  const { step, points } = curve ?? { step: 1, points: [] };
  const every = Math.ceil(LEAST_STEP / step);
  const shown = points.flatMap((cumulative_profit, i) =>
    (i + 1) % every === 0 ? [{ hand_number: (i + 1) * step, cumulative_profit }] : [],
  );
  const last = shown.at(-1)?.hand_number ?? 0;
  return hands > last ? [...shown, { hand_number: hands, cumulative_profit: profit }] : shown;
}
