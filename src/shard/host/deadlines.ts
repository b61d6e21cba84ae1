import { assert } from '../../ops/assert.js';

/** Something that wants to be woken at a time. The heap keeps its place in `place`: -1 when it is not in the heap. */
export interface Timed {
  /** Epoch ms at which the heap will give it back. */
  due: number;
  place: number;
}

/** A binary heap by `due`: setting, moving and removing one of n takes O(log n), looking at the earliest O(1). */
export class Deadlines<T extends Timed> {
  readonly #heap: T[] = [];

  /** The earliest time, Infinity when nothing waits. */
  get next(): number {
    return this.#heap.length > 0 ? this.#heap[0]!.due : Infinity;
  }

  get size(): number {
    return this.#heap.length;
  }

  /** Puts an item in, or moves it to another time; Infinity takes it out. */
  set(item: T, due: number): void {
    if (due === Infinity) {
      this.remove(item);
      return;
    }
    assert(!Number.isNaN(due), 'a deadline is a time');
    item.due = due;
    if (item.place < 0) {
      item.place = this.#heap.length;
      this.#heap.push(item);
    }
    this.#up(item);
    this.#down(item);
  }

  remove(item: T): void {
    const place = item.place;
    item.due = Infinity;
    if (place < 0) return;
    assert(this.#heap[place] === item, 'the heap has the item at its place', place);
    item.place = -1;
    const last = this.#heap.pop()!;
    if (last === item) return;
    this.#put(last, place);
    this.#up(last);
    this.#down(last);
  }

  /** Takes out and returns the earliest item if its time has come. */
  takeDue(now: number): T | undefined {
    const first = this.#heap[0];
    if (first === undefined || first.due > now) return undefined;
    this.remove(first);
    assert(first.place === -1, 'an item that is taken out has no place', first.place);
    return first;
  }

  #put(item: T, place: number): void {
    this.#heap[place] = item;
    item.place = place;
  }

  #up(item: T): void {
    let place = item.place;
    while (place > 0) {
      const parent = this.#heap[(place - 1) >> 1]!;
      if (parent.due <= item.due) break;
      this.#put(parent, place);
      place = (place - 1) >> 1;
    }
    this.#put(item, place);
  }

  #down(item: T): void {
    let place = item.place;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#heap.length) break;
      if (child + 1 < this.#heap.length && this.#heap[child + 1]!.due < this.#heap[child]!.due) child++;
      if (this.#heap[child]!.due >= item.due) break;
      this.#put(this.#heap[child]!, place);
      place = child;
    }
    this.#put(item, place);
  }
}
