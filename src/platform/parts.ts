/** Something that runs. It starts after what it stands on, and stops before that. */
export interface Part {
  start?(): unknown;
  /** Nothing new from here on; what is under way may end. */
  drain?(): unknown;
  stop?(): unknown;
}

/** The parts that run, in the order they were started in. */
export class Parts {
  readonly #running: Part[] = [];

  async start(part: Part): Promise<void> {
    await part.start?.();
    this.#running.push(part);
  }

  /** The last one first, each before the next: what stands below is drained when nothing above begins anything. */
  async drain(): Promise<void> {
    for (const part of this.#running.toReversed()) await part.drain?.();
  }

  async stop(): Promise<void> {
    for (let part = this.#running.pop(); part !== undefined; part = this.#running.pop()) await part.stop?.();
  }
}
