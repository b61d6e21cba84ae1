import type * as real from '../../../src/shard/stats.js';

/** src/shard/stats.ts without what it measures of the real thread. */
export class Counters implements real.Counters {
  hands = 0;
  actions = 0;
  frames = 0;
  frameBytes = 0;
  commits = 0;
  committedHands = 0;
  commitMs = 0;
  lastBatch = 0;
}

export class ThreadStats {
  readonly counters = new Counters();

  report(tables: number): ReturnType<real.ThreadStats['report']> {
    return { tables, ...this.counters, loopMeanMs: 0, loopP99Ms: 0, cpuMs: 0 };
  }

  stop(): void {
    // Nothing was started.
  }
}
