import { existsSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { ownHeap } from '../ops/heap-watch.js';
import { Counters } from './counters.js';
import type { ShardStats } from './messages.js';

/** Each sample wakes the thread, also where there is nothing to do. */
const LOOP_RESOLUTION_MS = 50;
/** The loop's delay is measured over at least so long: a shorter time has too few samples for a percentile. */
const LOOP_WINDOW_MS = 1000;
/** To read and pack all that is counted takes longer than all else that a thread does where nobody plays. */
const REPORT_MS = 500;
const NS_PER_MS = 1e6;
/** Linux: nanoseconds on a CPU, nanoseconds waiting for one, number of slices, of the reading thread. */
const SCHEDSTAT = '/proc/thread-self/schedstat';

/** Measures the thread it is created in. */
export class ThreadStats {
  readonly counters = new Counters();
  readonly #histogram = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  #loop = { loopMeanMs: 0, loopP99Ms: 0 };
  #windowEnd = performance.now() + LOOP_WINDOW_MS;
  #reportedAt = -Infinity;
  #utilization = performance.eventLoopUtilization();

  constructor() {
    this.#histogram.enable();
  }

  report(tables: number): ShardStats {
    if (performance.now() >= this.#windowEnd) this.#readLoop();
    return { tables, ...this.counters.read(), ...this.#loop, cpuMs: threadCpuMs(), heap: ownHeap() };
  }

  /** Null: the last one is young. */
  reportInTime(tables: number): ShardStats | null {
    const now = performance.now();
    if (now - this.#reportedAt < REPORT_MS) return null;
    this.#reportedAt = now;
    return this.report(tables);
  }

  #readLoop(): void {
    const { mean } = this.#histogram;
    this.#loop = { loopMeanMs: delayMs(mean), loopP99Ms: delayMs(this.#histogram.percentile(99)) };
    this.#histogram.reset();
    this.#windowEnd = performance.now() + LOOP_WINDOW_MS;
  }

  /** The part of the time since the last call in which the loop worked, waits for a core included. */
  utilization(): number {
    const before = this.#utilization;
    this.#utilization = performance.eventLoopUtilization();
    return performance.eventLoopUtilization(this.#utilization, before).utilization;
  }

  stop(): void {
    this.#histogram.disable();
  }
}

/** The histogram holds the time between two runs of a timer, so the resolution is part of every value; empty: NaN. */
const delayMs = (ns: number) => (Number.isFinite(ns) ? Math.max(0, ns / NS_PER_MS - LOOP_RESOLUTION_MS) : 0);

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
  if (existsSync(SCHEDSTAT)) return schedstatMs;
  return () => performance.eventLoopUtilization().active;
})();

/** The last reading. */
let lastCpuMs = 0;

/** The last value again where the file cannot be opened, such as when the process has as many files as it may. */
export function schedstatMs(file = SCHEDSTAT): number {
  try {
    lastCpuMs = Number(readFileSync(file, 'latin1').split(' ')[0]) / NS_PER_MS;
  } catch {
    // A measurement that fails is left out.
  }
  return lastCpuMs;
}
