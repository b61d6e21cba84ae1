import { Counters } from '../../../src/shard/counters.js';
import type * as real from '../../../src/shard/stats.js';

/** src/shard/stats.ts without what it measures of the real thread. */
export class ThreadStats {
  readonly counters = new Counters();

  report(tables: number): ReturnType<real.ThreadStats['report']> {
    return { tables, ...this.counters.read(), loopMeanMs: 0, loopP99Ms: 0, cpuMs: 0 };
  }

  reportInTime(tables: number): ReturnType<real.ThreadStats['reportInTime']> {
    return this.report(tables);
  }

  utilization(): number {
    return 0;
  }

  stop(): void {
    // Nothing was started.
  }
}
