import { placeOf } from './api.js';
import type { TableCore } from './core.js';
import type { Seat } from './seats/seat.js';

/** Clocks stand still for no longer: then players count as those do who cannot be reached. */
export const LONGEST_PAUSE_MS = 60_000;

/**
 * While somebody at a table cannot be heard, no hand begins, and the clocks of the open decision and of held seats stand
 * still. Afterwards each goes on with what was left of it.
 */
export class Pause {
  /** Epoch ms since which those elsewhere are not heard; null: all are. */
  #unheard: number | null = null;
  /** Who is there is heard all the while; null: nobody is. */
  #place: number | null = null;
  /** Epoch ms since which clocks stand still; null while they run. */
  #since: number | null = null;
  /** No hand begins. */
  #paused = false;

  constructor(private readonly core: TableCore) {}

  get paused(): boolean {
    return this.#paused;
  }

  /** From then on nobody was heard who is not at this place; null: all are heard again. */
  set(since: number | null, place: number | null): void {
    this.#unheard = since;
    this.#place = place;
    this.#begin(since);
  }

  /** At the end of each call: players come and go. */
  look(): void {
    if (this.#unheard !== null) this.#begin(this.core.now);
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

  /** Or ends, as it is now. */
  #begin(since: number | null): void {
    const paused = this.#unheard !== null && this.#missesSomebody();
    if (!paused) this.#run();
    else if (!this.#paused) this.#since = since;
    this.#paused = paused;
  }

  #missesSomebody(): boolean {
    const place = this.#place;
    return place === null || this.core.seats.present.some((seat) => isElsewhere(seat, place));
  }

  #run(): void {
    const since = this.#since;
    if (since === null) return;
    this.#since = null;
    this.core.stood(since, this.core.now);
  }
}

/** Of a held seat the place counts where its player was last, and it may come back anywhere if that is not known. */
function isElsewhere({ connected, socket, heldUntil, lastPlace }: Seat, place: number): boolean {
  if (connected) return placeOf(socket) !== place;
  return heldUntil !== Infinity && lastPlace !== place;
}
