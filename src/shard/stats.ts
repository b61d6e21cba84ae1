import { existsSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { ShardStats } from './messages.js';

/** Counters of a shard that others raise as things happen. */
export class Counters {
  hands = 0;
  actions = 0;
  frames = 0;
  frameBytes = 0;
  commits = 0;
  committedHands = 0;
  commitMs = 0;
  lastBatch = 0;
}

const LOOP_RESOLUTION_MS = 20;
const NS_PER_MS = 1e6;
/** Linux: nanoseconds on a CPU, nanoseconds waiting for one, number of slices, of the reading thread. */
const SCHEDSTAT = '/proc/thread-self/schedstat';

/** Measures the thread it is created in. */
export class ThreadStats {
  readonly counters = new Counters();
  readonly #loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });

  constructor() {
    this.#loop.enable();
  }

  report(tables: number): ShardStats {
    // The histogram holds the time between two timer runs, so the resolution is part of every value; empty: NaN.
    const delay = (ns: number) => (Number.isFinite(ns) ? Math.max(0, ns / NS_PER_MS - LOOP_RESOLUTION_MS) : 0);
    const stats = {
      tables,
      ...this.counters,
      loopMeanMs: delay(this.#loop.mean),
      loopP99Ms: delay(this.#loop.percentile(99)),
      cpuMs: threadCpuMs(),
    };
    this.#loop.reset();
    return stats;
  }

  stop(): void {
    this.#loop.disable();
  }
}

type CpuUsage = () => { user: number; system: number };

/** CPU time of the calling thread: from Node 24, else from Linux, else the time in which its loop was not idle. */
const threadCpuMs: () => number = (() => {
  const usage = (process as { threadCpuUsage?: CpuUsage }).threadCpuUsage?.bind(process);
  if (usage !== undefined) {
    return () => {
      const { user, system } = usage();
      return (user + system) / 1000;
    };
  }
  if (existsSync(SCHEDSTAT)) return () => Number(readFileSync(SCHEDSTAT, 'latin1').split(' ')[0]) / NS_PER_MS;
  return () => performance.eventLoopUtilization().active;
})();
