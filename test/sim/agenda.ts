/** Something with a time, and a number that orders what has the same time. */
export interface Planned {
  at: number;
  order: number;
}

/** The events to come, by time and then by order: a binary heap. */
export class Agenda<T extends Planned> {
  readonly #heap: T[] = [];

  add(item: T): void {
    this.#heap.push(item);
    this.#rise(this.#heap.length - 1);
  }

  /** The next item, which stays. */
  get next(): T | undefined {
    return this.#heap[0];
  }

  /** Takes the next item out. */
  take(): T | undefined {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (first !== undefined && last !== undefined && first !== last) {
      this.#heap[0] = last;
      this.#sink(0);
    }
    return first;
  }

  /** All that is planned, in no order. */
  get all(): readonly T[] {
    return this.#heap;
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
