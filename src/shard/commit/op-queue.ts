/**
 * The database operations of one table, one after the other. A hand on its way to the database blocks the queue, so
 * that a cash-out follows the commit of the hand that caused it.
 */
export class OpQueue {
  readonly #waiting: (() => Promise<void>)[] = [];
  #running = false;
  #blocks = 0;

  constructor(private readonly onError: (error: Error) => void) {}

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
      (error: unknown) => this.onError(error as Error),
    );
  }

  #done(): void {
    this.#running = false;
    this.#next();
  }
}
