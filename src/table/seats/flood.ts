/** The answer to a fault: nothing, one warning per burst, or removal. */
export type FloodVerdict = 'none' | 'warning' | 'kick';

export const FLOOD_WINDOW_MS = 5_000;
export const FLOOD_WARNING_AT = 10;
export const FLOOD_KICK_AT = 20;

/**
 * Counts a client's faults (rejected actions, invalid messages) in a sliding window of 5 s: the 10th warns, the 20th
 * kicks. A second warning comes only after the count has fallen below ten again; after a kick counting starts afresh.
 */
export class FloodGuard {
  /** Times of the last faults in ms, a ring; unused places lie infinitely long ago. */
  readonly #times = new Float64Array(FLOOD_KICK_AT).fill(-Infinity);
  #next = 0;
  #warned = false;

  fault(now: number): FloodVerdict {
    this.#times[this.#next] = now;
    this.#next = (this.#next + 1) % FLOOD_KICK_AT;
    const count = this.#countSince(now - FLOOD_WINDOW_MS);
    if (count >= FLOOD_KICK_AT) {
      this.#times.fill(-Infinity);
      this.#warned = false;
      return 'kick';
    }
    if (count < FLOOD_WARNING_AT) {
      this.#warned = false;
      return 'none';
    }
    if (this.#warned) return 'none';
    this.#warned = true;
    return 'warning';
  }

  #countSince(since: number): number {
    let count = 0;
    for (const time of this.#times) if (time > since) count++;
    return count;
  }
}

/** How many agents without a seat a table counts for. */
const STRANGERS = 100;

/** Faults of clients without a seat at a table that remembers them. The oldest is forgotten first. */
export class UnseatedFaults {
  readonly #guards = new Map<string, FloodGuard>();

  fault(agentId: string, now: number): FloodVerdict {
    let guard = this.#guards.get(agentId);
    if (guard === undefined) {
      guard = new FloodGuard();
      this.#guards.set(agentId, guard);
      const [oldest] = this.#guards.keys();
      if (this.#guards.size > STRANGERS && oldest !== undefined) this.#guards.delete(oldest);
    }
    return guard.fault(now);
  }
}
