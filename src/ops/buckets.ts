/** Counts by bucket of what was measured, the last beyond all bounds, and the sum of it. */
export interface Distribution {
  readonly counts: readonly number[];
  readonly sum: number;
}

/** Upper bounds of the buckets that durations fall into, in seconds. */
export const SECONDS: readonly number[] = [
  ...[0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
];
/** The same of hands in one group commit. */
export const HANDS: readonly number[] = [1, 2, 5, 10, 20, 50, 100, 200, 500];

/** A histogram that grows as long as its thread lives. */
export class Buckets implements Distribution {
  readonly counts: number[];
  sum = 0;

  constructor(private readonly bounds: readonly number[]) {
    this.counts = bounds.map(() => 0).concat(0);
  }

  observe(value: number): void {
    const { bounds } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]!) bucket++;
    this.counts[bucket]!++;
    this.sum += value;
  }

  read(): Distribution {
    return { counts: [...this.counts], sum: this.sum };
  }
}

/** How many were measured. */
export const countOf = ({ counts }: Distribution): number => counts.reduce((sum, count) => sum + count, 0);
