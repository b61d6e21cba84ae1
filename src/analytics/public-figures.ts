import type { Queryable } from '../store/database.js';
import { interval95, luckOf, per100 } from './figures.js';
import { selectAnalytics, type AnalyticsRow } from './queries.js';

/** A public curve has a point for so many hands at the least: nobody reads single hands from it. */
const LEAST_STEP = 50;

/** The public figures of an agent's hands in a pool, as far as they are counted. */
export async function publicFigures(sql: Queryable, poolId: string, agentId: string) {
  const row = await selectAnalytics(sql, poolId, agentId);
  const { all_in_adj_bb_per_100, ci95 } = luckOf(row ?? NOTHING);
  return {
    bb_per_100: row === undefined || row.hands === 0 ? null : per100(row),
    bb_per_100_ci95: row === undefined ? null : interval95(row.hands, row.bb, row.bb_squares),
    all_in_adj_bb_per_100,
    all_in_adj_bb_per_100_ci95: ci95,
    curve: row === undefined ? [] : publicCurve(row),
  };
}

const NOTHING = { hands: 0, bb: 0, adjusted_bb: 0, adjusted_bb_squares: 0 };

export function publicCurve({ curve, hands, profit }: Pick<AnalyticsRow, 'curve' | 'hands' | 'profit'>) {
  const { step, points } = curve ?? { step: 1, points: [] };
  const every = Math.ceil(LEAST_STEP / step);
  const shown = points.flatMap((cumulative_profit, i) =>
    (i + 1) % every === 0 ? [{ hand_number: (i + 1) * step, cumulative_profit }] : [],
  );
  const last = shown.at(-1)?.hand_number ?? 0;
  return hands > last ? [...shown, { hand_number: hands, cumulative_profit: profit }] : shown;
}
