import type { MeanInterval } from './confidence-sequence.js';

/**
 * A confidence sequence for the mean of results between −limit and limit, by a mixture of fixed bets. The method:
 * Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting" (JRSS B, 2024).
 *
 * A gambler stakes the share b of the capital on each result x against the claim that the mean is at most m:
 *
 *     capital × (1 + b · (x − m) / (limit + m)),   0 < b < 1
 *
 * The capital never becomes negative. Under the claim it is a supermartingale, so it ever exceeds 1 / α with a chance of
 * at most α (Ville's inequality). The same holds for the mean of several gamblers with different shares. Each result's
 * expectation, given all before it, must obey the claim. Nothing else is assumed of the results.
 *
 * confidence-sequence.ts bounds the logarithm of such capitals from below by two sums. This is the logarithm itself: its
 * limits are narrower where the scale is large beside the results. The price is a histogram in place of the two sums.
 */

/** The shares of the gamblers: half an octave apart from 2⁻¹ᐟ² to 2⁻⁹, each with the same part of the capital. */
const SHARES: readonly number[] = Array.from({ length: 18 }, (_, step) => 2 ** -((step + 1) / 2));
const LOG_PART = -Math.log(SHARES.length);

/** Cells of the histogram from one limit to the other. */
const CELLS = 2000;

/** The logarithm of the mean of the gamblers' capitals, each given as its logarithm. */
function logMean(logs: ArrayLike<number>): number {
  let most = -Infinity;
  for (let i = 0; i < logs.length; i++) most = Math.max(most, logs[i]!);
  let sum = 0;
  for (let i = 0; i < logs.length; i++) sum += Math.exp(logs[i]! - most);
  return most + Math.log(sum) + LOG_PART;
}

/** Evidence that the mean is above `mean` (sign 1) or below it (sign −1), result by result. */
export class BettingEvidence {
  readonly #logs = new Float64Array(SHARES.length);
  readonly #bets: readonly number[];

  constructor(
    readonly limit: number,
    readonly mean: number,
    readonly sign: 1 | -1,
  ) {
    this.#bets = SHARES.map((share) => share / (limit + sign * mean));
  }

  /** `result` is from −limit to limit. */
  add(result: number): void {
    const gain = this.sign * (result - this.mean);
    if (gain === 0) return;
    const [logs, bets] = [this.#logs, this.#bets];
    for (let i = 0; i < logs.length; i++) logs[i]! += Math.log1p(bets[i]! * gain);
  }

  /** Ever exceeds log(1/α) with a chance of at most α where the mean is on the other side. */
  get log(): number {
    return logMean(this.#logs);
  }
}

/**
 * Results between −limit and limit. A result between two corners of the histogram counts for both in proportion, which
 * keeps the mean. The logarithm of a capital is concave, so this can only lower the evidence: by less than a millionth.
 */
export class BettingSample {
  count = 0;
  sum = 0;
  squares = 0;
  readonly #corners = new Float64Array(CELLS + 1);

  constructor(readonly limit: number) {}

  add(result: number): void {
    const { limit } = this;
    if (!(Math.abs(result) <= limit)) throw new RangeError(`${result} is not from ${-limit} to ${limit}`);
    this.count++;
    this.sum += result;
    this.squares += result * result;
    const place = ((result + limit) / (2 * limit)) * CELLS;
    const corner = Math.min(CELLS - 1, Math.floor(place));
    this.#corners[corner]! += corner + 1 - place;
    this.#corners[corner + 1]! += place - corner;
  }

  get mean(): number {
    return this.sum / this.count;
  }

  /** The variance of a result; 0 below two of them. */
  get variance(): number {
    const { count, sum, squares } = this;
    return count < 2 ? 0 : Math.max(0, (squares - (sum * sum) / count) / (count - 1));
  }

  /** The mean and its limits, which hold at all sample sizes at once with a chance of at least 1 − `error`. */
  interval(error = 0.05): MeanInterval | null {
    if (this.count === 0) return null;
    const { limit, mean } = this;
    const log = Math.log(2 / error);
    const met: [value: number, weight: number][] = [];
    this.#corners.forEach((weight, corner) => {
      if (weight > 0) met.push([-limit + (2 * limit * corner) / CELLS, weight]);
    });
    const mirrored = met.map(([value, weight]): [number, number] => [-value, weight]);
    return { mean, low: lowerLimit(met, mean, limit, log), high: -lowerLimit(mirrored, -mean, limit, log) };
  }
}

/** The largest claim m that the evidence for a mean above m refutes, up to a millionth of the limit. */
function lowerLimit(met: readonly [number, number][], mean: number, limit: number, log: number): number {
  const logs = new Float64Array(SHARES.length);
  const refuted = (claim: number) => {
    SHARES.forEach((share, i) => {
      const bet = share / (limit + claim);
      let sum = 0;
      for (const [value, weight] of met) sum += weight * Math.log1p(bet * (value - claim));
      logs[i] = sum;
    });
    return logMean(logs) >= log;
  };
  let [low, high] = [-limit, mean];
  while (high - low > 1e-6 * limit) {
    const middle = (low + high) / 2;
    if (refuted(middle)) low = middle;
    else high = middle;
  }
  return low;
}
