import type { TableCore } from './core.js';

/** Clocks stand still for no longer: then players count as those do who cannot be reached. */
export const LONGEST_PAUSE_MS = 60_000;

/**
 * While nobody at a table can be heard, no hand begins, and the clocks of the open decision and of held seats stand still.
 * Afterwards each goes on with what was left of it.
 */
export class Pause {
  /** Epoch ms since which clocks stand still; null while they run. */
  #since: number | null = null;
  /** No hand begins. */
  #paused = false;

  constructor(private readonly core: TableCore) {}

  get paused(): boolean {
    return this.#paused;
  }

  /** Nobody was heard any more from then on; null: they are again. */
  set(since: number | null): void {
    if (since === null) this.#run();
    else if (!this.#paused) this.#since = since;
    this.#paused = since !== null;
  }

  /** Whether clocks stand still. */
  stands(): boolean {
    if (this.#since !== null && this.core.now >= this.#since + LONGEST_PAUSE_MS) this.#run();
    return this.#since !== null;
  }

  /** When they will run on by themselves. */
  get longestUntil(): number {
    return this.#since === null ? Infinity : this.#since + LONGEST_PAUSE_MS;
  }

  #run(): void {
    const since = this.#since;
    if (since === null) return;
    this.#since = null;
    const { play, seats, now } = this.core;
    // A turn that was opened meanwhile began with its whole time.
    const lost = Math.max(0, now - Math.max(since, play.turnOpenedAt));
    play.turnDeadline += lost;
    play.turnOpenedAt += lost;
    for (const seat of seats.present) seat.holdLonger(Math.max(0, now - since));
  }
}
