import { setPriority } from 'node:os';

/** Below the threads of the game, by the usual step of `nice`. */
const NICE = 10;

/** The caller has time; the tables have not. Linux keeps a priority for each thread, others for the whole process. */
export function yieldToOthers(): void {
  if (process.platform === 'linux') setPriority(NICE);
}
