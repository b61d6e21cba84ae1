/** Whether the lobby knows who is there. One that inherits sockets and tables hears of them first. */
export class Settled {
  #over: boolean;
  #end: () => void = () => undefined;
  readonly promise: Promise<void>;

  constructor(over: boolean) {
    this.#over = over;
    this.promise = over ? Promise.resolve() : new Promise((resolve) => (this.#end = resolve));
  }

  get over(): boolean {
    return this.#over;
  }

  end(): void {
    this.#over = true;
    this.#end();
  }

  /** Runs it now, or then. */
  when(run: () => void): void {
    if (this.#over) run();
    else void this.promise.then(run);
  }
}
