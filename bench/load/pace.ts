/** How often the pace is adjusted. */
const STEP_MS = 500;
/** The longest mean pause; a crowd that has to be slower than that has too many tables. */
const LONGEST_MS = 10_000;
const FIRST_MS = 20;

/**
 * When bots answer: all from the same moment on, and then at once, or so that they play a number of hands a second.
 * For that they think for a time spread evenly around a mean, so that tables do not march in step, and the mean follows
 * what is measured.
 */
export class Pace {
  #mean = 0;
  #timer: NodeJS.Timeout | null = null;
  /** Answers that wait for the start; null after it. */
  #held: (() => void)[] | null = [];

  /** Answers at once without a pace. */
  readonly think = (answer: () => void): void => {
    if (this.#held !== null) this.#held.push(answer);
    else if (this.#mean === 0) answer();
    else setTimeout(answer, Math.random() * 2 * this.#mean);
  };

  /** Until now nobody has answered. */
  start(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const answer of held) answer();
  }

  /** `hands` tells the hands played so far. */
  hold(handsPerSecond: number, hands: () => number): void {
    this.settle();
    this.#mean = FIRST_MS;
    let [before, since] = [hands(), performance.now()];
    this.#timer = setInterval(() => {
      const [count, now] = [hands(), performance.now()];
      const rate = (Math.max(0, count - before) * 1000) / (now - since);
      [before, since] = [count, now];
      // Half the way each time: what is measured lags behind, and swings would never end otherwise.
      this.#mean = Math.min(LONGEST_MS, this.#mean * Math.sqrt(Math.max(0.25, rate / handsPerSecond)));
    }, STEP_MS);
  }

  /** The mean stays as it is from now on. */
  settle(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }
}
