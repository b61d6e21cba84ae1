/** In ms: the first bound of a pause, the last, and the least pause where the server asked to be left alone. */
export const [FIRST_MS, LONGEST_MS, BUSY_MS] = [250, 10_000, 1000];

/** Full jitter: anything from nothing to a bound that doubles, so that bots of a restarted server do not come at once. */
export class Backoff {
  #bound = FIRST_MS;

  constructor(private readonly chance: () => number = Math.random) {}

  /** ms until the next attempt: not before `retryAfterMs`, and where the server is `busy` at least a second. */
  next({ retryAfterMs = null, busy = false }: { retryAfterMs?: number | null; busy?: boolean } = {}): number {
    const pause = this.#bound * this.chance();
    this.#bound = Math.min(2 * this.#bound, LONGEST_MS);
    if (retryAfterMs !== null) return Math.max(retryAfterMs, BUSY_MS) + pause;
    return busy ? BUSY_MS + pause : pause;
  }

  /** It works again. */
  reset(): void {
    this.#bound = FIRST_MS;
  }
}
