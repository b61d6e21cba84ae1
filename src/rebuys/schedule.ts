import type { Clock, LobbyLog } from '../lobby/index.js';

export interface RebuyScheduleOptions {
  clock: Clock;
  log: LobbyLog;
  /** Does what is due. */
  run: () => Promise<void>;
  /** ms until something is due, null when nothing is. */
  next: () => Promise<number | null>;
}

/** After a failure, and at the least between two looks that found something due. */
const RETRY_MS = 1000;

/** One timer for the earliest of the scheduled rebuys. The dates themselves are in the database, safe from restarts. */
export class RebuySchedule {
  #wakeAt = Infinity;
  #cancel: () => void = () => undefined;
  #running = false;
  #stopped = false;

  constructor(private readonly options: RebuyScheduleOptions) {}

  /** Something is due in so many ms. */
  expect(waitMs: number): void {
    const { clock } = this.options;
    const at = clock.now() + Math.max(0, waitMs);
    if (at >= this.#wakeAt || this.#stopped) return;
    this.#cancel();
    this.#wakeAt = at;
    this.#cancel = clock.at(at, () => void this.#wake());
  }

  /** Looks up what is due next. */
  refresh(): void {
    this.expect(0);
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  async #wake(): Promise<void> {
    this.#wakeAt = Infinity;
    if (this.#running) {
      this.expect(RETRY_MS);
      return;
    }
    this.#running = true;
    try {
      await this.options.run();
      const next = await this.options.next();
      // Something still due is in other hands at the moment.
      if (next !== null) this.expect(next > 0 ? next : RETRY_MS);
    } catch (error) {
      if (this.#stopped) return;
      this.options.log.warn({ err: error }, 'scheduled rebuys wait');
      this.expect(RETRY_MS);
    } finally {
      this.#running = false;
    }
  }
}
