import type { TableRoute } from '../gateway/ports.js';

/** A route with a seat. */
export interface SeatRoute extends TableRoute {
  seat: number;
}

/** How many agents without a seat are remembered by the table they left: for resync and repeated actions. */
const REMEMBERED = 20_000;

/** Where everybody sits, and where those who left sat last. */
export class SeatDirectory {
  readonly #seated = new Map<string, SeatRoute>();
  readonly #left = new Map<string, TableRoute>();

  sit(agentId: string, seatRoute: SeatRoute): void {
    this.#left.delete(agentId);
    this.#seated.set(agentId, seatRoute);
  }

  /** The stay at this table is over; false when the agent did not sit there. The route stays, without a seat. */
  leave(agentId: string, table: string): boolean {
    const seatRoute = this.#seated.get(agentId);
    if (seatRoute?.table !== table) return false;
    this.#seated.delete(agentId);
    this.#left.set(agentId, { ...seatRoute, seat: null });
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

  seatOf(agentId: string): SeatRoute | undefined {
    return this.#seated.get(agentId);
  }

  /** Seat or remembered table. */
  routeOf(agentId: string): TableRoute | null {
    return this.#seated.get(agentId) ?? this.#left.get(agentId) ?? null;
  }

  /** Agents with a seat on a shard. */
  onShard(shard: number): [agentId: string, place: SeatRoute][] {
    return [...this.#seated].filter(([, seatRoute]) => seatRoute.shard === shard);
  }

  get seated(): number {
    return this.#seated.size;
  }
}
