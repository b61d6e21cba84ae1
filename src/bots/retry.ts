/** One thing to do later: a newer one replaces it. */
export class Retry {
  #timer: NodeJS.Timeout | null = null;
  #work: (() => void) | null = null;

  /** Does the work after so many ms; at once when that is 0 or less. */
  after(ms: number, work: () => void): void {
    this.cancel();
    if (ms <= 0) return work();
    this.#work = work;
    this.#timer = setTimeout(() => this.now(), ms);
  }

  /** Does what was left for later now, if anything was. */
  now(): void {
    const work = this.#work;
    this.cancel();
    work?.();
  }

  cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#work = null;
  }
}
