/** Public answers that are made once in a while, however many ask. */

/** An answer is at most so old, in ms. */
const KEPT_MS = 1000;
const KEPT = 1000;

/** Keeps answers by key for a second. Errors are not kept: each asker gets its own. */
export class BriefCache<T> {
  readonly #kept = new Map<string, { answer: Promise<T>; at: number }>();

  of(key: string, make: () => Promise<T>): Promise<T> {
    const now = performance.now();
    const kept = this.#kept.get(key);
    if (kept !== undefined && now - kept.at < KEPT_MS) return kept.answer;
    const answer = make();
    this.#kept.delete(key);
    this.#kept.set(key, { answer, at: now });
    if (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    answer.catch(() => this.#kept.delete(key));
    return answer;
  }
}
