import { LUCK_STEP } from '../value/luck.js';

/** A sum so far after `step`, 2 × `step`, … hands. */
export interface Curve {
  step: number;
  points: readonly number[];
}

const POINTS = 256;

/**
 * The curve after the next hands. `hands` hands are in the curve already, and `sum` is their sum. Which points it has
 * depends on the number of hands alone, not on the portions they came in.
 */
export function extend({ step, points }: Curve, hands: number, sum: number, results: readonly number[]): Curve {
  const all = [...points];
  let [every, nth, so] = [step, hands, sum];
  for (const each of results) {
    so += each;
    if (++nth % every !== 0) continue;
    all.push(so);
    if (all.length <= POINTS) continue;
    every *= 2;
    all.splice(0, all.length, ...all.filter((_, i) => i % 2 === 1));
  }
  return { step: every, points: all };
}

/** The lines of an agent, in chips, as they are stored: columns of `analytics_curves`. */
export interface Curves {
  step: number;
  /** Chips won. */
  points: readonly number[];
  /** All-in-adjusted, after the same hands. */
  adjusted: readonly number[];
  /** A multiple of LUCK_STEP (value/luck.ts): a sum of fewer hands would tell of folded cards. */
  luck_step: number;
  /** Less luck. */
  luck_points: readonly number[];
}

export const NO_CURVES: Curves = {
  step: 1,
  points: [],
  adjusted: [],
  luck_step: LUCK_STEP,
  luck_points: [],
};
