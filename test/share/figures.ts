/** The sample of a world at one time. */
export interface Sample {
  /** (player, table) pairs of connected players, by looks once a second. */
  pairs: number;
  /** Those of them with a socket at the table's node. */
  local: number;
  /** Connected bots, and tables with one of them, at these looks. */
  bots: number;
  tables: number;
  hands: number;
  /** Hands without a relayed player. */
  localHands: number;
  /** From each join to its seat, in ms. */
  waits: number[];
}

const nothing = (): Sample => ({ pairs: 0, local: 0, bots: 0, tables: 0, hands: 0, localHands: 0, waits: [] });

export class Figures {
  #sample = nothing();

  looked({ pairs, local, bots, tables }: Pick<Sample, 'pairs' | 'local' | 'bots' | 'tables'>): void {
    this.#sample.pairs += pairs;
    this.#sample.local += local;
    this.#sample.bots += bots;
    this.#sample.tables += tables;
  }

  waited(ms: number): void {
    this.#sample.waits.push(ms);
  }

  played(relayed: boolean): void {
    this.#sample.hands++;
    if (!relayed) this.#sample.localHands++;
  }

  /** All since the last call. */
  take(): Sample {
    const sample = this.#sample;
    this.#sample = nothing();
    return sample;
  }
}

export interface Measured {
  /** Shares: of pairs that are local, of hands without a relayed player, of connected bots with a seat. */
  local: number;
  localHands: number;
  seated: number;
  /** Connected players. */
  playersATable: number;
  joins: number;
  waitMs: { p50: number; p95: number };
}

/** Several samples as one. */
export function measured(samples: readonly Sample[]): Measured {
  const sum = (of: (sample: Sample) => number) => samples.reduce((all, sample) => all + of(sample), 0);
  const waits = samples.flatMap((sample) => sample.waits).sort((a, b) => a - b);
  const pairs = sum((sample) => sample.pairs);
  return {
    local: sum(({ local }) => local) / pairs,
    localHands: sum(({ localHands }) => localHands) / sum(({ hands }) => hands),
    seated: pairs / sum(({ bots }) => bots),
    playersATable: pairs / sum(({ tables }) => tables),
    joins: waits.length,
    waitMs: { p50: quantile(waits, 0.5), p95: quantile(waits, 0.95) },
  };
}

const quantile = (sorted: readonly number[], q: number) => sorted[Math.floor(q * sorted.length)] ?? NaN;
