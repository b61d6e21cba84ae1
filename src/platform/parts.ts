import { setTimeout as sleep } from 'node:timers/promises';

/** Something that runs. It starts after what it stands on, and stops before that. */
export interface Part {
  start?(): unknown;
  /** Nothing new from here on; what is under way may end. */
  drain?(): unknown;
  stop?(): unknown;
  /** In the place of both, where another process does it from now on: nothing that is under way is waited for. */
  end?(): unknown;
}

/** What waits for the ground of all in vain hears of its end after this. */
const GROUND_MS = 3000;

/** The parts that run, in the order they were started in. */
export class Parts {
  readonly #running: Part[] = [];
  /** Its start is under way, or has failed. */
  #starting: Part | null = null;

  async start(part: Part): Promise<void> {
    this.#starting = part;
    await part.start?.();
    this.#starting = null;
    this.#running.push(part);
  }

  /** The last one first, each before the next: what stands below is drained when nothing above begins anything. */
  async drain(): Promise<void> {
    for (const part of this.#running.toReversed()) await part.drain?.();
  }

  async stop(): Promise<void> {
    for (let part = this.#running.pop(); part !== undefined; part = this.#running.pop()) await part.stop?.();
  }

  /**
   * All at once, as nothing that they do counts any more, also one whose start has failed; the first one, the ground of all
   * others, after them, unless they take long: they may wait for it.
   */
  async end(): Promise<void> {
    const [ground, ...others] = [...this.#running.splice(0), ...(this.#starting === null ? [] : [this.#starting])];
    this.#starting = null;
    const ended = Promise.all(others.toReversed().map(endOf));
    await Promise.race([ended.catch(() => undefined), sleep(GROUND_MS, undefined, { ref: false })]);
    if (ground !== undefined) await endOf(ground);
    await ended;
  }
}

async function endOf(part: Part): Promise<void> {
  if (part.end !== undefined) return void (await part.end());
  await part.drain?.();
  await part.stop?.();
}
