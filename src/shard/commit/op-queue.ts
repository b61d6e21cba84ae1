import { assert } from '../../ops/assert.js';

/**
 * The database operations of one table, one after the other. A hand on its way to the database blocks the queue, so
 * that a cash-out follows the commit of the hand that caused it.
 */
export class OpQueue {
  readonly #waiting: (() => Promise<void>)[] = [];
  #running = false;
  #blocks = 0;

  /** `onError`: true where the next operation may run. */
  constructor(private readonly onError: (error: Error) => boolean) {}

  get idle(): boolean {
    return !this.#running && this.#blocks === 0 && this.#waiting.length === 0;
  }

  push(op: () => Promise<void>): void {
    this.#waiting.push(op);
    this.#next();
  }

  block(): void {
    this.#blocks++;
  }

  unblock(): void {
    assert(this.#blocks > 0, 'a queue that goes on was blocked');
    this.#blocks--;
    this.#next();
  }

  #next(): void {
    if (this.#running || this.#blocks > 0) return;
    const op = this.#waiting.shift();
    if (op === undefined) return;
    this.#running = true;
    op().then(
      () => this.#done(),
      (error: unknown) => {
        if (this.onError(error as Error)) this.#done();
      },
    );
  }

  #done(): void {
    assert(this.#running, 'an operation ends once');
    this.#running = false;
    this.#next();
  }
}
