/** How much is known from the variance alone before evidence counts: see `evidence`. */
const RHO = 10;

/**
 * How many times likelier the excess is under collusion than under honest play: the one-sided normal mixture of Robbins
 * (Howard, Ramdas, McAuliffe and Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence sequences", Annals of
 * Statistics 49, 2021, proposition 6). Under honest play its mean is at most 1 at any time. By Ville's inequality it
 * ever reaches x with a probability of at most 1 / x.
 */
export function evidence(excess: number, variance: number): number {
  const spread = variance + RHO;
  return 2 * Math.sqrt(RHO / spread) * normalRatio(excess / Math.sqrt(spread));
}

/** No exponent beyond this, so that products and sums stay numbers. */
const MOST_EXPONENT = 600;

/**
 * The share of the standard normal distribution below z over e^(-z²/2), by Abramowitz and Stegun 26.2.17 (the share is
 * off by less than 1e-7).
 */
function normalRatio(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = series / Math.sqrt(2 * Math.PI);
  return z > 0 ? Math.exp(Math.min(MOST_EXPONENT, (z * z) / 2)) - tail : tail;
}
