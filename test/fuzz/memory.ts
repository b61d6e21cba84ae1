/** Resident memory of a process over a run, in MiB. */
export class Memory {
  readonly #samples: number[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(private readonly read: () => number) {
    this.#timer = setInterval(() => this.#samples.push(read()), EVERY_MS);
    this.#samples.push(read());
  }

  /** No more samples than those so far and one now. */
  stop(): void {
    clearInterval(this.#timer);
    this.#samples.push(this.read());
  }

  /** Its values at so many moments, evenly spread from the first to the last. */
  points(count: number): number[] {
    const last = this.#samples.length - 1;
    return Array.from({ length: count }, (_, n) => this.#samples[Math.round((n * last) / (count - 1))]!);
  }
}

const EVERY_MS = 250;
