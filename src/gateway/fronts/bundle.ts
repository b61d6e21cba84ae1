/** Collects messages for a port: they leave in the check phase of this turn of the event loop, or when asked to. */
export class Bundle<T> {
  #messages: T[] = [];
  #scheduled = false;

  constructor(private readonly post: (messages: readonly T[]) => void) {}

  add(message: T): void {
    this.#messages.push(message);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.flush();
    });
  }

  flush(): void {
    if (this.#messages.length === 0) return;
    const messages = this.#messages;
    this.#messages = [];
    this.post(messages);
  }
}
