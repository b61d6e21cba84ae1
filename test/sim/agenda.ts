interface Entry {
  at: number;
  order: number;
  run: () => void;
}

/** What will happen, by time and then by the order in which it was planned: a binary heap. */
export class Agenda {
  readonly #heap: Entry[] = [];
  #planned = 0;

  plan(at: number, run: () => void): void {
    this.#heap.push({ at, order: this.#planned++, run });
    this.#rise(this.#heap.length - 1);
  }

  /** Time of the next entry, Infinity when there is none. */
  get next(): number {
    return this.#heap[0]?.at ?? Infinity;
  }

  /** Runs the next entry. */
  step(): void {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (first === undefined || last === undefined) return;
    if (first !== last) {
      this.#heap[0] = last;
      this.#sink(0);
    }
    first.run();
  }

  clear(): void {
    this.#heap.length = 0;
  }

  #before(a: number, b: number): boolean {
    const one = this.#heap[a]!;
    const other = this.#heap[b]!;
    return one.at < other.at || (one.at === other.at && one.order < other.order);
  }

  #swap(a: number, b: number): void {
    [this.#heap[a], this.#heap[b]] = [this.#heap[b]!, this.#heap[a]!];
  }

  #rise(index: number): void {
    for (let at = index; at > 0;) {
      const parent = (at - 1) >> 1;
      if (!this.#before(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #sink(index: number): void {
    for (let at = index; ;) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.#heap.length && this.#before(child, least)) least = child;
      }
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }
}
