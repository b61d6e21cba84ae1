/** The profit so far after `step`, 2 × `step`, … hands. */
export interface Curve {
  step: number;
  points: readonly number[];
}

const POINTS = 256;

export const NO_CURVE: Curve = { step: 1, points: [] };

/**
 * The curve with the profits of the hands that follow the `hands` it has seen, the profit so far being `profit`. Which
 * points it has depends on the number of hands alone, not on the portions they came in.
 */
export function extend({ step, points }: Curve, hands: number, profit: number, profits: readonly number[]): Curve {
  const all = [...points];
  let [every, nth, sum] = [step, hands, profit];
  for (const each of profits) {
    sum += each;
    if (++nth % every !== 0) continue;
    all.push(sum);
    if (all.length <= POINTS) continue;
    every *= 2;
    all.splice(0, all.length, ...all.filter((_, i) => i % 2 === 1));
  }
  return { step: every, points: all };
}
