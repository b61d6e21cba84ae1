import { performance } from 'node:perf_hooks';
import { steadyMs } from '../ops/standstill.js';

/** Epoch ms with microseconds. */
export type SteadyClock = () => number;

/** The epoch ms at which the steady clock of the machine stood at 0, by the time that it is now (default: this thread's). */
export const clockOrigin = (now = performance.timeOrigin + performance.now()): number => now - steadyMs();

/**
 * A clock that never runs backwards and ignores steps of the wall clock: no turn times out because the time was set.
 * (It follows the slow corrections of NTP, as the system's monotonic clock does.) Threads with one origin share the
 * time. With origins of their own, the ids of an agent that changes its shard could be out of order after a step.
 */
export function steadyClock(origin: number): SteadyClock {
  const atZero = origin + steadyMs() - performance.now();
  return () => atZero + performance.now();
}
