import { BettingEvidence, BettingSample } from '../statistics/betting.js';

/** `better`: the new bot wins more than the old one. */
export type Verdict = 'better' | 'worse' | 'no_difference' | 'unknown';

/**
 * A deal's mean difference counts up to so many big blinds a hand, both ways. A bound must be known beforehand. The
 * largest possible difference is several stacks, and would need many times the deals. A verdict is about the mean of
 * the clipped differences.
 */
export const CLIP = 25;

export interface JudgeOptions {
  /** Differences up to this are none, in big blinds a hand. */
  within: number;
  /** The chance of a false verdict is at most this. */
  alpha: number;
}

/**
 * Judges after every deal whether one bot is better. Each verdict is a statement of one confidence sequence, so all
 * looks and all verdicts together are false with a chance of at most `alpha`. A verdict must agree with the mean of the
 * differences that are not clipped, too: this can only delay it.
 */
export class Judge {
  readonly sample = new BettingSample(CLIP);
  /** Deals that were clipped, and the sum of all differences as they were. */
  clipped = 0;
  wholeSum = 0;
  readonly #better = new BettingEvidence(CLIP, 0, 1);
  readonly #worse = new BettingEvidence(CLIP, 0, -1);
  readonly #aboveLeast: BettingEvidence;
  readonly #belowMost: BettingEvidence;
  readonly #needed: number;

  constructor(private readonly options: JudgeOptions) {
    this.#aboveLeast = new BettingEvidence(CLIP, -options.within, 1);
    this.#belowMost = new BettingEvidence(CLIP, options.within, -1);
    this.#needed = Math.log(2 / options.alpha);
  }

  /** Adds a deal's mean difference, in big blinds a hand. */
  add(difference: number): Verdict {
    const result = Math.max(-CLIP, Math.min(CLIP, difference));
    if (result !== difference) this.clipped++;
    this.wholeSum += difference;
    this.sample.add(result);
    for (const evidence of [this.#better, this.#worse, this.#aboveLeast, this.#belowMost]) evidence.add(result);
    return this.verdict;
  }

  /** As of now. */
  get verdict(): Verdict {
    const whole = this.wholeMean;
    if (this.#better.log >= this.#needed && whole > 0) return 'better';
    if (this.#worse.log >= this.#needed && whole < 0) return 'worse';
    const isClose = Math.min(this.#aboveLeast.log, this.#belowMost.log) >= this.#needed;
    return isClose && Math.abs(whole) <= this.options.within ? 'no_difference' : 'unknown';
  }

  get wholeMean(): number {
    return this.sample.count === 0 ? 0 : this.wholeSum / this.sample.count;
  }

  interval(): { mean: number; low: number; high: number } | null {
    return this.sample.interval(this.options.alpha);
  }

  /** Deals that are left if mean and variance stay as they are; null where no verdict is in sight. */
  get dealsLeft(): number | null {
    const { mean, variance, count } = this.sample;
    if (count < 30 || variance === 0) return null;
    const { within } = this.options;
    // A bet grows by at most gain² / (2 · variance) a deal.
    const left = (log: number, gain: number) =>
      gain <= 0 ? Infinity : (Math.max(0, this.#needed - log) * 2 * variance) / (gain * gain);
    const apart = left(Math.max(this.#better.log, this.#worse.log), Math.abs(mean));
    const close = Math.max(left(this.#aboveLeast.log, within + mean), left(this.#belowMost.log, within - mean));
    const least = Math.min(apart, close);
    return Number.isFinite(least) ? Math.ceil(least) : null;
  }
}
