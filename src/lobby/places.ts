import type { Route } from '../gateway/ports.js';

/** A route with a seat. */
export interface Place extends Route {
  seat: number;
}

/** How many agents without a seat are remembered by the table they left: for resync and repeated actions. */
const REMEMBERED = 20_000;

/** Where everybody sits, and where those who left sat last. */
export class Places {
  readonly #seated = new Map<string, Place>();
  readonly #left = new Map<string, Route>();

  sit(agentId: string, place: Place): void {
    this.#left.delete(agentId);
    this.#seated.set(agentId, place);
  }

  /** The stay at this table is over; false when the agent did not sit there. The route stays, without a seat. */
  leave(agentId: string, table: string): boolean {
    const place = this.#seated.get(agentId);
    if (place?.table !== table) return false;
    this.#seated.delete(agentId);
    this.#left.set(agentId, { ...place, seat: null });
    if (this.#left.size > REMEMBERED) {
      for (const oldest of this.#left.keys()) {
        this.#left.delete(oldest);
        break;
      }
    }
    return true;
  }

  /** The table is gone for good: nothing there answers any more. */
  forget(agentId: string, table: string): void {
    if (this.#seated.get(agentId)?.table === table) this.#seated.delete(agentId);
    if (this.#left.get(agentId)?.table === table) this.#left.delete(agentId);
  }

  seatOf(agentId: string): Place | undefined {
    return this.#seated.get(agentId);
  }

  /** Seat or remembered table. */
  routeOf(agentId: string): Route | null {
    return this.#seated.get(agentId) ?? this.#left.get(agentId) ?? null;
  }

  /** Agents with a seat on a shard. */
  onShard(shard: number): [agentId: string, place: Place][] {
    return [...this.#seated].filter(([, place]) => place.shard === shard);
  }

  get seated(): number {
    return this.#seated.size;
  }
}
