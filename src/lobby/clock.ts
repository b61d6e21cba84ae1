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

/** The same until it is stopped: then nothing runs any more of what waits for it. */
export function stoppableClock(clock: Clock = systemClock): Clock & { stop(): void } {
  const waiting = new Set<() => void>();
  let stopped = false;
  return {
    now: () => clock.now(),
    after(ms, run) {
      if (stopped) return () => undefined;
      const cancel = clock.after(ms, () => {
        waiting.delete(cancel);
        run();
      });
      waiting.add(cancel);
      return () => {
        waiting.delete(cancel);
        cancel();
      };
    },
    soon: (run) => clock.soon(() => void (stopped || run())),
    stop() {
      stopped = true;
      for (const cancel of waiting) cancel();
      waiting.clear();
    },
  };
}
