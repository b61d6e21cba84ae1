import { assert } from '../../ops/assert.js';
import type { SteadyClock } from '../steady-clock.js';
import { Deadlines, type Timed } from './deadlines.js';

/** setTimeout knows no longer ones. */
const LONGEST_MS = 2 ** 31 - 1;
/** Tables that are woken before messages get their turn again. */
const WAKES_PER_TURN = 32;

/**
 * One timer for the deadlines of all tables. A deadline that moves later leaves the timer alone until the old time
 * comes. Most turns end by an action long before their deadline, and then nothing is left to do.
 */
export class TableTimers<T extends Timed> {
  readonly #deadlines = new Deadlines<T>();
  #timer: NodeJS.Timeout | undefined;
  #timerFor = Infinity;
  #immediate: NodeJS.Immediate | undefined;
  #stopped = false;

  /**
   * @param wake runs what is due of an item at `now` and returns when it wants to be woken next
   * @param rest is called after a turn of wakes
   */
  constructor(
    private readonly clock: SteadyClock,
    private readonly wake: (item: T, now: number) => number,
    private readonly rest: () => void,
  ) {}

  /** The item wants to be woken at this time, if not before. */
  want(item: T, at: number): void {
    assert(!Number.isNaN(at), 'a deadline is a time');
    if (at >= item.due) return;
    this.#deadlines.set(item, at);
    this.#arm();
  }

  forget(item: T): void {
    this.#deadlines.remove(item);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
  }

  /** Due tables run after the waiting messages, in this turn of the event loop. One timer serves the rest. */
  #arm(): void {
    const next = this.#deadlines.next;
    if (next === Infinity || this.#stopped) return;
    const wait = next - this.clock();
    if (wait <= 0) {
      this.#immediate ??= setImmediate(this.#runDue);
    } else if (next < this.#timerFor) {
      clearTimeout(this.#timer);
      this.#timerFor = next;
      this.#timer = setTimeout(this.#onTimer, Math.min(LONGEST_MS, Math.ceil(wait)));
    }
  }

  readonly #onTimer = (): void => {
    this.#timer = undefined;
    this.#timerFor = Infinity;
    this.#runDue();
  };

  readonly #runDue = (): void => {
    this.#immediate = undefined;
    for (let i = 0; i < WAKES_PER_TURN; i++) {
      const now = this.clock();
      const item = this.#deadlines.takeDue(now);
      if (item === undefined) break;
      this.#deadlines.set(item, this.wake(item, now));
    }
    this.rest();
    this.#arm();
  };
}
