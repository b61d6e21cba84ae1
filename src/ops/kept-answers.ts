/** Answers that are the same for all readers, kept for some seconds: many readers cost one look-up. */
export class KeptAnswers<T> {
  readonly #kept = new Map<string, { answer: Promise<T>; until: number }>();

  constructor(
    private readonly ttlMs: number,
    private readonly most: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The kept answer, or the one that `make` gives. */
  of(key: string, make: () => Promise<T>): Promise<T> {
    return this.get(key) ?? this.keep(key, make());
  }

  /** Undefined where nothing is kept. */
  get(key: string): Promise<T> | undefined {
    const found = this.#kept.get(key);
    return found === undefined || found.until <= this.now() ? undefined : found.answer;
  }

  /** Keeps an answer. The oldest ones make room. A rejected one is not kept: the next reader asks anew. */
  keep(key: string, answer: Promise<T>): Promise<T> {
    const entry = { answer, until: this.now() + this.ttlMs };
    this.#kept.delete(key);
    this.#kept.set(key, entry);
    if (this.#kept.size > this.most) this.#kept.delete(this.#kept.keys().next().value!);
    answer.catch(() => {
      if (this.#kept.get(key) === entry) this.#kept.delete(key);
    });
    return answer;
  }
}
