import type { ServerMessage } from '../protocol/server.js';
import type { TableRoute } from './ports.js';

/** Messages that only an agent without a seat gets, so that its client knows then that it has none. */
const SEATLESS: ReadonlySet<ServerMessage['type']> = new Set([
  'lobby_joined',
  'rebuy_confirmed',
  'busted',
  'auto_rebuy_scheduled',
]);

/** Whether a client knows that its last seat is gone. Without that news it would wait for a turn that never comes. */
export class SeatNews {
  #left = true;
  /** The end of a stay was sent before its route was known here. */
  #leftEarly = false;
  #sits = false;

  /** The client was sent the end of its last stay, or it never had one. */
  get current(): boolean {
    return this.#left;
  }

  /** The lobby sends it a message. */
  heard({ type }: ServerMessage): void {
    if (SEATLESS.has(type)) this.#left = true;
  }

  /** The seat of its agent has changed. */
  routed(before: TableRoute | null, after: TableRoute | null): void {
    const sat = tableOf(before);
    const sits = tableOf(after);
    if (sits === sat) return;
    this.#sits = sits !== null;
    if (sits === null) return;
    this.#left = this.#leftEarly;
    this.#leftEarly = false;
  }

  /** Its table asks it for a decision. */
  plays(): void {
    this.#left = this.#leftEarly = false;
  }

  /** Its table sends it the end of its stay. */
  left(): void {
    this.#left = true;
    this.#leftEarly = !this.#sits;
  }
}

/** The table where the agent has a seat; null without one. */
const tableOf = (route: TableRoute | null): string | null =>
  route !== null && route.seat !== null ? route.table : null;
