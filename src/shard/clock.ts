import { performance } from 'node:perf_hooks';

/** Epoch ms with microseconds. */
export type Clock = () => number;

/**
 * The clock of a process: never runs backwards and does not follow steps of the wall clock, so that no turn times out
 * because somebody set the time. (It follows the slow corrections of NTP, as the system's monotonic clock does.)
 */
export const processClock: Clock = () => performance.timeOrigin + performance.now();
