import type { TableRoute } from '../gateway/ports.js';

/** A seat that an agent has, and the name of its stay there. */
export interface HeldSeat extends TableRoute {
  seat: number;
  sitting: string;
}

/** How many agents without a seat are remembered by the table they left: for resync and repeated actions. */
const REMEMBERED = 20_000;

/** Where everybody sits, and where those who left sat last. */
export class SeatDirectory {
  readonly #seated = new Map<string, HeldSeat>();
  readonly #left = new Map<string, TableRoute>();

  sit(agentId: string, seatRoute: HeldSeat): void {
    this.#left.delete(agentId);
    this.#seated.set(agentId, seatRoute);
  }

  /** The stay at this table is over; false when the agent did not sit there. The route stays, without a seat. */
  leave(agentId: string, table: string): boolean {
    const seatRoute = this.#seated.get(agentId);
    if (seatRoute?.table !== table) return false;
    this.#seated.delete(agentId);
    this.sat(agentId, seatRoute);
    return true;
  }

  /** It sat there last. */
  sat(agentId: string, { shard, table }: TableRoute): void {
    this.#left.set(agentId, { shard, table, seat: null });
    if (this.#left.size > REMEMBERED) {
      for (const oldest of this.#left.keys()) {
        this.#left.delete(oldest);
        break;
      }
    }
  }

  /** The table is gone for good: nothing there answers any more. */
  forget(agentId: string, table: string): void {
    if (this.#seated.get(agentId)?.table === table) this.#seated.delete(agentId);
    if (this.#left.get(agentId)?.table === table) this.#left.delete(agentId);
  }

  seatOf(agentId: string): HeldSeat | undefined {
    return this.#seated.get(agentId);
  }

  /** Seat or remembered table. */
  routeOf(agentId: string): TableRoute | null {
    const seated = this.#seated.get(agentId);
    if (seated === undefined) return this.#left.get(agentId) ?? null;
    const { shard, table, seat } = seated;
    return { shard, table, seat };
  }

  /** Agents with a seat on a shard. */
  onShard(shard: number): [agentId: string, place: HeldSeat][] {
    return [...this.#seated].filter(([, seatRoute]) => seatRoute.shard === shard);
  }

  get seated(): number {
    return this.#seated.size;
  }
}
