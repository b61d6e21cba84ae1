/** Buckets grow by a hundredth each, from a microsecond on: every quantile is exact to 1 %. */
const GROWTH = Math.log(1.01);
const BUCKETS = 1900;

/** Counts durations in constant space. Histograms of several processes can be added up. */
export class Histogram {
  readonly #counts: Uint32Array;
  #total = 0;

  /** From the `counts` of another one. */
  constructor(counts: readonly number[] = []) {
    this.#counts = new Uint32Array(BUCKETS);
    this.#counts.set(counts);
    for (const count of counts) this.#total += count;
  }

  get count(): number {
    return this.#total;
  }

  /** As plain values, without the empty end. */
  get counts(): number[] {
    const last = this.#counts.findLastIndex((count) => count > 0);
    return Array.from(this.#counts.subarray(0, last + 1));
  }

  add(ms: number): void {
    const bucket = Math.ceil(Math.log(Math.max(1, ms * 1000)) / GROWTH);
    this.#counts[Math.min(bucket, BUCKETS - 1)]!++;
    this.#total++;
  }

  merge(other: Histogram): this {
    other.#counts.forEach((count, bucket) => (this.#counts[bucket]! += count));
    this.#total += other.#total;
    return this;
  }

  /** The ms that a share `q` of all durations did not exceed; NaN of none. */
  quantile(q: number): number {
    let left = Math.max(1, Math.ceil(q * this.#total));
    const bucket = this.#counts.findIndex((count) => (left -= count) <= 0);
    return bucket < 0 ? NaN : Math.exp(bucket * GROWTH) / 1000;
  }

  clear(): void {
    this.#counts.fill(0);
    this.#total = 0;
  }
}
