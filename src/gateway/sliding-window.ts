/**
 * Counts what was let through in the window just past: `take` lets one more through unless `limit` already were. A
 * refused message does not count, so a client that sends too fast still gets its rate through.
 */
export class SlidingWindow {
  /** Times of what was let through, a ring that grows to at most `limit` places. */
  #times: Float64Array;
  #first = 0;
  #count = 0;

  constructor(
    private readonly limit: number,
    private readonly windowMs: number,
  ) {
    this.#times = new Float64Array(Math.min(limit, 32));
  }

  /** `now` in ms of any clock that never goes back. `limit`: at most that of the window. */
  take(now: number, limit = this.limit): boolean {
    this.#forget(now);
    if (this.#count >= limit) return false;
    if (this.#count === this.#times.length) this.#grow();
    this.#times[(this.#first + this.#count++) % this.#times.length] = now;
    return true;
  }

  /** ms until `take` would let one through, 0 if it would now. */
  wait(now: number, limit = this.limit): number {
    this.#forget(now);
    if (this.#count < limit) return 0;
    return this.#times[(this.#first + this.#count - limit) % this.#times.length]! + this.windowMs - now;
  }

  /** Whether nothing is in the window: a fresh one would answer the same. */
  isEmpty(now: number): boolean {
    this.#forget(now);
    return this.#count === 0;
  }

  #forget(now: number): void {
    const old = now - this.windowMs;
    while (this.#count > 0 && this.#times[this.#first]! <= old) {
      if (++this.#first === this.#times.length) this.#first = 0;
      this.#count--;
    }
  }

  #grow(): void {
    const grown = new Float64Array(Math.min(this.limit, this.#times.length * 2));
    grown.set(this.#times.subarray(this.#first));
    grown.set(this.#times.subarray(0, this.#first), this.#times.length - this.#first);
    this.#times = grown;
    this.#first = 0;
  }
}
