import type { Clock } from '../../src/lobby/ports.js';

interface Timer {
  at: number;
  run: () => void;
}

/** A clock that the test moves. Timers run in order, each at its time. */
export class VirtualClock implements Clock {
  certain = true;
  #now: number;
  #timers: Timer[] = [];
  #soon: (() => void)[] = [];

  constructor(start = 1_800_000_000_000) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, ms), run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  at(time: number, run: () => void): () => void {
    let cancel: () => void;
    const look = () => {
      if (this.certain) run();
      else cancel = this.after(1000, look);
    };
    cancel = this.after(time - this.#now, look);
    return () => cancel();
  }

  soon(run: () => void): void {
    this.#soon.push(run);
  }

  /** How many timers are set. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Runs everything that needs no time: tasks for the end of the turn, and pending promises. */
  async settle(): Promise<void> {
    do {
      for (const run of this.#soon.splice(0)) run();
      await new Promise<void>((resolve) => setImmediate(resolve));
    } while (this.#soon.length > 0);
  }

  /** Lets time pass, and settles after each timer. */
  async advance(ms: number): Promise<void> {
    await this.settle();
    const end = this.#now + ms;
    for (;;) {
      const next = this.#timers.reduce<Timer | null>(
        (least, each) => (least && least.at <= each.at ? least : each),
        null,
      );
      if (next === null || next.at > end) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
      await this.settle();
    }
    this.#now = end;
  }
}
