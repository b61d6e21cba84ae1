import {
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  type Histogram as HdrHistogram,
} from 'hdr-histogram-js';

/** The unit is a tenth of a microsecond. */
const UNITS_PER_MS = 10_000;
/** An hour; whatever takes longer counts as that. */
const LONGEST = 3_600_000 * UNITS_PER_MS;
const CONFIG = {
  lowestDiscernibleValue: 1,
  highestTrackableValue: LONGEST,
  numberOfSignificantValueDigits: 3,
  bitBucketSize: 32,
} as const;

/** Counts durations in constant space, exact to a thousandth. Those of several processes can be added up. */
export class Histogram {
  readonly #hdr: HdrHistogram;

  /** From the `encoded` text of another one. Throws on any other text. */
  constructor(encoded?: string) {
    this.#hdr = encoded === undefined ? build(CONFIG) : decodeFromCompressedBase64(encoded, CONFIG.bitBucketSize);
  }

  get count(): number {
    return this.#hdr.totalCount;
  }

  /** As text, in the form that all HDR histograms share. */
  get encoded(): string {
    return encodeIntoCompressedBase64(this.#hdr);
  }

  add(ms: number): void {
    this.#hdr.recordValue(Math.min(LONGEST, Math.max(0, Math.round(ms * UNITS_PER_MS))));
  }

  merge(other: Histogram): this {
    this.#hdr.add(other.#hdr);
    return this;
  }

  /** The additions since it was as `earlier`. */
  since(earlier: Histogram): Histogram {
    const later = new Histogram().merge(this);
    later.#hdr.subtract(earlier.#hdr);
    return later;
  }

  /** The ms that a share `q` of all durations did not exceed; NaN of none. */
  quantile(q: number): number {
    return this.count === 0 ? NaN : this.#hdr.getValueAtPercentile(100 * q) / UNITS_PER_MS;
  }

  /** The mean in ms; NaN of none. */
  get mean(): number {
    return this.count === 0 ? NaN : this.#hdr.mean / UNITS_PER_MS;
  }

  /** The longest in ms; NaN of none. */
  get max(): number {
    return this.count === 0 ? NaN : this.#hdr.maxValue / UNITS_PER_MS;
  }

  clear(): void {
    this.#hdr.reset();
  }
}
