import type { Clock } from './ports.js';

/** Longer waits wake up in between: they follow the wall clock when somebody sets it, and setTimeout counts 31 bits. */
const LONGEST_MS = 60_000;

/** The real time. Timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const deadline = Date.now() + ms;
    let timer: NodeJS.Timeout;
    const arm = () => {
      const left = deadline - Date.now();
      timer = left > LONGEST_MS ? setTimeout(arm, LONGEST_MS) : setTimeout(run, Math.max(0, left));
      timer.unref();
    };
    arm();
    return () => {
      clearTimeout(timer);
    };
  },
  soon(run) {
    setImmediate(run);
  },
};
