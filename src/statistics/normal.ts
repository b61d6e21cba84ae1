/** The share of the standard normal distribution below z, by Abramowitz and Stegun 26.2.17: off by less than 1e-7. */
export function normalShare(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp((-z * z) / 2) * series) / Math.sqrt(2 * Math.PI);
  return z > 0 ? 1 - tail : tail;
}

/** An estimate of a normal model: the mean and the standard deviation of what the model believes after the data. */
export interface NormalEstimate {
  mean: number;
  spread: number;
}

/** The chance that the first figure is above the second one, with independent errors. */
export const chanceAbove = (one: NormalEstimate, other: NormalEstimate): number =>
  normalShare((one.mean - other.mean) / Math.hypot(one.spread, other.spread));

/**
 * The interval of a figure that a normal model believes to be N(0, prior²) without data, and N(mean, spread²) after
 * them. It holds the values where prior density / posterior density < 1 / error. That ratio is a martingale under the
 * true value (Waudby-Smith and Ramdas, "Confidence sequences for sampling without replacement", NeurIPS 2020). So the
 * interval holds at all sample sizes at once, as far as the model is true. It is the normal mixture of Robbins (1970).
 */
export function priorPosteriorInterval(
  { mean, spread }: NormalEstimate,
  prior: number,
  error = 0.05,
): [low: number, high: number] {
  // Without data the two densities are the same, and nothing is excluded.
  if (spread >= prior) return [-Infinity, Infinity];
  const precision = 1 / spread ** 2 - 1 / prior ** 2;
  const middle = mean / spread ** 2 / precision;
  const limit = 2 * Math.log(1 / error) + 2 * Math.log(prior / spread);
  const half = Math.sqrt(middle ** 2 + (limit - (mean / spread) ** 2) / precision);
  return [middle - half, middle + half];
}
