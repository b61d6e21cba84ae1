import type { Clock } from './ports.js';

/** setTimeout counts 31 bits; and a date may come nearer by a correction of its clock. */
const LONGEST_MS = 60_000;
/** How often a clock that is not certain is asked whether it is. */
const LOOK_MS = 1000;

type After = Clock['after'];
type Dates = Pick<Clock, 'now' | 'certain'>;

/** Durations by the machine's steady clock. Timers do not keep the process alive. */
const after: After = (ms, run) => {
  const deadline = performance.now() + ms;
  let timer: NodeJS.Timeout;
  const arm = () => {
    const left = deadline - performance.now();
    timer = left > LONGEST_MS ? setTimeout(arm, LONGEST_MS) : setTimeout(run, Math.max(0, left));
    timer.unref();
  };
  arm();
  return () => clearTimeout(timer);
};

/** Waits for a date, also where its clock is corrected meanwhile. */
const atBy =
  (dates: Dates, after: After): Clock['at'] =>
  (time, run) => {
    let cancel: () => void;
    const look = () => {
      const left = time - dates.now();
      if (left <= 0 && dates.certain) run();
      else cancel = after(left > 0 ? Math.min(left, LONGEST_MS) : LOOK_MS, look);
    };
    cancel = after(Math.min(Math.max(0, time - dates.now()), LONGEST_MS), look);
    return () => cancel();
  };

/** A clock that takes its dates from another source. */
export const clockOf = (dates: Dates): Clock => ({
  now: () => dates.now(),
  get certain() {
    return dates.certain;
  },
  after,
  at: atBy(dates, after),
  soon: (run) => void setImmediate(run),
});

/** This machine's time when the process began, and what has passed since: it follows no step of the wall clock. */
export const systemClock: Clock = clockOf({
  now: () => performance.timeOrigin + performance.now(),
  certain: true,
});

/** The same until it is stopped: then nothing runs any more of what waits for it. */
export function stoppableClock(clock: Clock = systemClock): Clock & { stop(): void } {
  const waiting = new Set<() => void>();
  let stopped = false;
  const after: After = (ms, run) => {
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
  };
  return {
    now: () => clock.now(),
    get certain() {
      return clock.certain;
    },
    after,
    at: atBy(clock, after),
    soon: (run) => clock.soon(() => void (stopped || run())),
    stop() {
      stopped = true;
      for (const cancel of waiting) cancel();
      waiting.clear();
    },
  };
}
