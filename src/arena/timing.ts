import { createHistogram } from 'node:perf_hooks';

/** Percentiles of durations in ms; null without one. */
export interface AckPercentiles {
  p50: number;
  p99: number;
}

/** Collects durations in constant space, exact to three digits. */
export class Stopwatch {
  readonly #histogram = createHistogram({ figures: 3 });

  add(ms: number): void {
    this.#histogram.record(Math.max(1, Math.round(ms * 1e6)));
  }

  percentiles(): AckPercentiles | null {
    if (this.#histogram.count === 0) return null;
    return { p50: this.#histogram.percentile(50) / 1e6, p99: this.#histogram.percentile(99) / 1e6 };
  }
}
