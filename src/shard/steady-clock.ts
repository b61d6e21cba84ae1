import { performance } from 'node:perf_hooks';
import { steadyMs } from '../ops/standstill.js';

/** Epoch ms with microseconds. */
export type SteadyClock = () => number;

/** The epoch ms at which the steady clock of the machine stood at 0, by the time that it is now (default: this thread's). */
export const clockOrigin = (now = performance.timeOrigin + performance.now()): number => now - steadyMs();

/**
 * A clock that never runs backwards and does not follow steps of the wall clock, so that no turn times out because
 * somebody set the time. (It follows the slow corrections of NTP, as the system's monotonic clock does.) Threads that
 * share an origin share the time: a thread's own would be that of the wall clock when it started, and the ids of an
 * agent who moves between shards would be out of order after a step.
 */
export function steadyClock(origin: number): SteadyClock {
  const atZero = origin + steadyMs() - performance.now();
  return () => atZero + performance.now();
}
