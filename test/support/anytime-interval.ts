/** The intervals of src/statistics/confidence-sequence.ts once more, written for reading: slow, and from the formula alone. */

/** The stakes that a hand began with, in big blinds. */
export interface Staked {
  risk: number;
  chance: number;
}

/** By players' stacks at the start of a hand, in big blinds. */
export const stakedBy = (own: number, others: readonly number[]): Staked => ({
  risk: Math.min(own, Math.max(...others)),
  chance: others.reduce((sum, other) => sum + Math.min(own, other), 0),
});

/** The capital of gamblers that bet on each result being above `mean`. They began with 1 among all bets. */
function capital(results: readonly number[], scale: number, mean: number): number {
  let [sum, squares, all, shares] = [0, 0, 0, 0];
  for (const result of results) {
    sum += result - mean;
    squares += result ** 2;
  }
  for (let octave = 1; octave <= 16; octave += 0.5) {
    const bet = 2 ** -octave;
    const share = 1 / (1 + ((octave - 9) / 2) ** 2);
    shares += share;
    const psi = (-Math.log(1 - bet * scale) - bet * scale) / scale ** 2;
    if (bet * scale < 1) all += share * Math.exp(bet * sum - psi * squares);
  }
  return all / shares;
}

/** The least mean that leaves the gamblers below 40, but no less than everything that a hand can lose. */
function lowest(results: readonly number[], risk: number): number {
  let [low, high] = [-risk, results.reduce((sum, result) => sum + result, 0) / results.length];
  if (capital(results, risk, low) < 40) return low;
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2;
    if (capital(results, risk, middle) < 40) high = middle;
    else low = middle;
  }
  return high;
}

/** Low and high end of the 95 % interval per 100 results; null without one. */
export function anytimeInterval(results: readonly number[], stakes: readonly Staked[]): [number, number] | null {
  if (results.length === 0) return null;
  const risk = Math.max(...stakes.map((each) => each.risk));
  const chance = Math.max(...stakes.map((each) => each.chance));
  const opposite = results.map((result) => -result);
  return [100 * lowest(results, risk), -100 * lowest(opposite, chance)];
}
