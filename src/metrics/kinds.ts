import { Counter, Gauge, type Registry } from 'prom-client';
import type { Distribution } from '../ops/buckets.js';

/** Kinds of metrics that the library lacks: what others have counted already, as totals. */

/** A counter that is read at the scrape: a total since the start of this process. */
export function totalOf(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

/** A gauge that is asked for at the scrape. */
export function gaugeOf(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

/**
 * Running totals that threads report. A thread that was replaced begins at zero again, which a counter must not follow
 * down: what lives that are over have counted is kept.
 */
export class TotalsByKind<K> {
  readonly #over = new Map<K, number>();
  readonly #last = new Map<K, number>();

  /** Takes a report; returns the total over all lives. */
  take(key: K, value: number): number {
    const last = this.#last.get(key) ?? 0;
    if (value < last) this.#over.set(key, (this.#over.get(key) ?? 0) + last);
    this.#last.set(key, value);
    return (this.#over.get(key) ?? 0) + value;
  }
}

/** A histogram of distributions that shards count by themselves, over all lives of their threads. */
export class ShardHistogram {
  readonly #totals = new TotalsByKind<string>();
  readonly #shards = new Map<number, Distribution>();

  constructor(
    registry: Registry,
    private readonly name: string,
    private readonly help: string,
    private readonly bounds: readonly number[],
  ) {
    // The registry wants a name and `get`, which its types hide behind its own classes.
    registry.registerMetric(this as never);
  }

  take(shard: number, { counts, sum }: Distribution): void {
    const total = (part: string | number, value: number) => this.#totals.take(`${shard} ${part}`, value);
    this.#shards.set(shard, { counts: counts.map((count, i) => total(i, count)), sum: total('sum', sum) });
  }

  /** As the registry of prom-client asks for it. */
  async get() {
    const { name, help, bounds } = this;
    const values = [...this.#shards].flatMap(([shard, { counts, sum }]) => {
      let below = 0;
      const buckets = counts.map((count, i) => {
        below += count;
        return { metricName: `${name}_bucket`, labels: { le: bounds[i] ?? '+Inf', shard }, value: below };
      });
      const labels = { shard };
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: below },
      ];
    });
    return { name, help, type: 'histogram', values, aggregator: 'sum' };
  }

  reset(): void {
    this.#shards.clear();
  }
}
