import type { Task } from './kernel.js';
import { machine, threadOrigin, time, wallTime } from './machine.js';

/** Node's globals on virtual time. They replace the real ones when the world is bundled. */

type Run = (...given: unknown[]) => void;

export class Timer {
  #task: Task | null = null;
  /** Whether the process would stay for it. */
  referenced = true;

  constructor(
    private readonly run: () => void,
    private readonly ms: number,
    private readonly repeats: boolean,
  ) {
    this.#plan();
  }

  #plan(): void {
    const { kernel } = machine();
    this.#task = kernel.plan(kernel.now + this.ms, () => {
      if (this.repeats) this.#plan();
      else this.#task = null;
      this.run();
    });
    pending.set(this.#task, this);
  }

  clear(): void {
    this.#task?.cancel();
    this.#task = null;
  }

  ref(): this {
    this.referenced = true;
    return this;
  }

  unref(): this {
    this.referenced = false;
    return this;
  }

  hasRef(): boolean {
    return this.referenced;
  }
}

/** Which timer a task belongs to. */
const pending = new WeakMap<Task, Timer>();

/** Whether the process would stay for this task. */
export const keepsAlive = (task: Task) => pending.get(task)?.referenced === true;

/** As Node counts: at least 1 ms, whole ones. */
const wait = (ms: number) => (ms >= 1 ? Math.floor(ms) : 1);

export function setTimeout(run: Run, ms = 1, ...given: unknown[]): Timer {
  return new Timer(() => run(...given), wait(ms), false);
}

export function setInterval(run: Run, ms = 1, ...given: unknown[]): Timer {
  return new Timer(() => run(...given), wait(ms), true);
}

export function setImmediate(run: Run, ...given: unknown[]): Timer {
  return new Timer(() => run(...given), 0, false);
}

export function clearTimeout(timer: Timer | null | undefined): void {
  timer?.clear();
}

export { clearTimeout as clearInterval, clearTimeout as clearImmediate };

/** A thread starts with the wall clock of its start, which may have been set. */
export const performance = {
  get timeOrigin() {
    return threadOrigin();
  },
  now: time,
};

const RealDate = globalThis.Date;

export class Date extends RealDate {
  constructor(...given: [] | [value: number | string | globalThis.Date]) {
    super(given.length === 0 ? wallTime() : given[0]);
  }

  static override now(): number {
    return Math.floor(wallTime());
  }
}
