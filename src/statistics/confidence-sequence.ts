/**
 * Confidence sequences: intervals for a mean that hold at all sample sizes at once. A reader may look after every hand
 * and stop at any time.
 *
 * The rule is Theorem 4 of Howard, Ramdas, McAuliffe and Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence
 * sequences" (Annals of Statistics, 2021). The prediction is 0 for every result. For a bet λ below 1 / c,
 *
 *     exp(λ · Σ(xᵢ − μᵢ) − ψ(λ) · Σxᵢ²),   ψ(λ) = (−log(1 − λc) − λc) / c²
 *
 * is a supermartingale if no result is below −c (inequality (4.11) of Fan, Grama and Liu, 2015). So is a mixture of it
 * over bets. Ville's inequality bounds the chance that it ever exceeds 1 / α. The mean of the expected results μᵢ may
 * change with the hands. Results need not be independent, and have no assumed distribution.
 *
 * The scale c is the amount at stake. The lower limit needs the most that a hand can lose, the upper limit the most
 * that it can win. Both are known when the hand begins. A hand with more at stake than all before it drops the bets
 * that are too large for it, which a mixture allows. Units are those of the results: big blinds.
 */

/** The facts about results that an interval needs. Samples of parts add up in any order. */
export interface Sample {
  /** Results. */
  count: number;
  /** Their sum and the sum of their squares, in big blinds. */
  sum: number;
  squares: number;
  /** The most that any one of them could have lost and won, in big blinds; not negative. */
  risk: number;
  chance: number;
}

/** A mean with limits, in big blinds a result. */
export interface MeanInterval {
  mean: number;
  low: number;
  high: number;
}

export const emptySample = (): Sample => ({ count: 0, sum: 0, squares: 0, risk: 0, chance: 0 });

/** Adds one result. `risk` and `chance`: the most that it could have lost and won, known before it was played for. */
export function addResult(sample: Sample, result: number, risk: number, chance: number): void {
  sample.count++;
  sample.sum += result;
  sample.squares += result * result;
  sample.risk = Math.max(sample.risk, risk);
  sample.chance = Math.max(sample.chance, chance);
}

/** Adds the results of `more`. */
export function addSample(sample: Sample, more: Readonly<Sample>): void {
  sample.count += more.count;
  sample.sum += more.sum;
  sample.squares += more.squares;
  sample.risk = Math.max(sample.risk, more.risk);
  sample.chance = Math.max(sample.chance, more.chance);
}

/**
 * The bets of the mixture and their shares: half an octave apart from 1/2 to 2⁻¹⁶ per big blind. The shares fall off
 * around 2⁻⁹, the best bet for some thousand hands with a deviation of 25 big blinds, as house styles have it.
 */
const BETS: readonly { bet: number; logShare: number }[] = (() => {
  const octaves = Array.from({ length: 31 }, (_, step) => 1 + step / 2);
  const shares = octaves.map((octave) => 1 / (1 + ((octave - 9) / 2) ** 2));
  const total = shares.reduce((sum, share) => sum + share, 0);
  return octaves.map((octave, at) => ({ bet: 2 ** -octave, logShare: Math.log(shares[at]! / total) }));
})();

/** ψ(λ) for results that are not below −scale; λ²/2 as the scale goes to 0. */
function psi(bet: number, scale: number): number {
  const product = bet * scale;
  // The series avoids the cancellation of the logarithm.
  if (product < 1e-4) return bet * bet * (1 / 2 + product / 3);
  return (-Math.log1p(-product) - product) / (scale * scale);
}

/** The logarithm of the mixture's capital at a sum of deviations, and its derivative by that sum. */
interface Capital {
  log: number;
  slope: number;
}

/** It rises with `gain`, the sum of deviations, and is convex in it. */
function capitalAt(gain: number, squares: number, scale: number): Capital {
  let [most, total, slope] = [-Infinity, 0, 0];
  for (const { bet, logShare } of BETS) {
    if (bet * scale >= 1) continue;
    const log = logShare + bet * gain - psi(bet, scale) * squares;
    if (log > most) {
      const before = Math.exp(most - log);
      [most, total, slope] = [log, total * before + 1, slope * before + bet];
    } else {
      const part = Math.exp(log - most);
      total += part;
      slope += bet * part;
    }
  }
  return { log: most + Math.log(total), slope: slope / total };
}

/**
 * The logarithm of the evidence that the mean is above `mean`. If the mean is not above it, the evidence ever exceeds
 * log(1/α) with a chance of at most α. The value is −Infinity if more was at stake than any bet allows.
 */
export const evidenceAbove = ({ count, sum, squares, risk }: Readonly<Sample>, mean: number): number =>
  capitalAt(sum - count * mean, squares, risk).log;

/** The same for a mean below `mean`. */
export const evidenceBelow = ({ count, sum, squares, chance }: Readonly<Sample>, mean: number): number =>
  capitalAt(count * mean - sum, squares, chance).log;

/** The largest sum of deviations at which the mixture's capital stays below the threshold, up to a billionth. */
function bound(squares: number, scale: number, threshold: number): number {
  // One bet alone reaches the threshold there, so all together do: Newton's steps come down from it.
  let gain = Infinity;
  for (const { bet, logShare } of BETS) {
    if (bet * scale >= 1) continue;
    gain = Math.min(gain, (threshold - logShare + psi(bet, scale) * squares) / bet);
  }
  while (gain < Infinity) {
    const { log, slope } = capitalAt(gain, squares, scale);
    const step = (log - threshold) / slope;
    gain -= step;
    if (step <= 1e-9 * gain) break;
  }
  return gain;
}

/**
 * The mean and its limits, which hold at all sample sizes at once with a chance of at least 1 − `error`. They never
 * leave what the hands could lose and win. Null without a result.
 */
export function confidenceInterval(sample: Readonly<Sample>, error = 0.05): MeanInterval | null {
  const { count, sum, squares, risk, chance } = sample;
  if (count === 0) return null;
  const [mean, log] = [sum / count, Math.log(2 / error)];
  return {
    mean,
    low: Math.max(-risk, mean - bound(squares, risk, log) / count),
    high: Math.min(chance, mean + bound(squares, chance, log) / count),
  };
}

/** The 95 % interval of a mean in big blinds a hand, as a rate per 100 hands. Null without a result. */
export function interval95(sample: Readonly<Sample>): [low: number, high: number] | null {
  const interval = confidenceInterval(sample);
  return interval && [100 * interval.low, 100 * interval.high];
}
