import type { SocketId } from '../api.js';
import type { Outbox } from '../outbox.js';

/**
 * The watchers of a table: one id for all spectators of a socket hub, and one for each owner who sees its own bot's
 * cards. Without any, nothing is written for them.
 */
export class Watches {
  readonly #agents = new Map<SocketId, string | null>();

  constructor(private readonly out: Outbox) {}

  add(watch: SocketId, agentId: string | null): void {
    this.#agents.set(watch, agentId);
  }

  delete(watch: SocketId): void {
    this.#agents.delete(watch);
  }

  /** All watchers, each with the agent of the visible cards. */
  get all(): [SocketId, string | null][] {
    return [...this.#agents];
  }

  get none(): boolean {
    return this.#agents.size === 0;
  }

  /** Sends [start, end) of the outbox to all of them. */
  address(start: number, end: number, mark = 0): void {
    for (const watch of this.#agents.keys()) this.out.address(watch, (start | mark) >>> 0, end);
  }

  /** The same of a copy, where the frame is open at its end. */
  addressClosed(start: number, end: number, mark: number): void {
    if (this.none) return;
    const { bytes } = this.out;
    const copy = bytes.pos;
    bytes.copy(start, end).ascii('}');
    this.address(copy, bytes.pos, mark);
  }

  /** The watches that see the cards of this agent. */
  of(agentId: string): SocketId[] {
    return this.none ? [] : [...this.#agents].flatMap(([watch, own]) => (own === agentId ? [watch] : []));
  }
}
