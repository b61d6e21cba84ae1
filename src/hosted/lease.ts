import type { Clock, SessionLease } from '../lobby/index.js';

/** The agent of a token's sockets, and its right. */
export interface Grant {
  agentId: string;
  seasonId: string;
  /** The generation of the agent's runtime. */
  generation: number;
}

/** The database's clock is known to so many ms: a token does not end before its time. */
export const READING_MS = 20;

/** The life of a token, as far as somebody is connected by it. */
export class TokenLease implements SessionLease {
  readonly #listeners = new Set<() => void>();
  #cancel: () => void;
  over = false;

  /** `due` is called when the token's time has come by what is known here: it ends the lease, or extends it. */
  constructor(
    readonly grant: Grant,
    private readonly clock: Clock,
    until: number,
    private readonly on: { due: () => void; ended: () => void },
  ) {
    this.#cancel = this.#dueAt(until);
  }

  onOver(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Somebody is connected. */
  get used(): boolean {
    return this.#listeners.size > 0;
  }

  extend(until: number): void {
    this.#cancel();
    if (!this.over) this.#cancel = this.#dueAt(until);
  }

  end(): void {
    if (this.over) return;
    this.over = true;
    this.#cancel();
    this.on.ended();
    for (const listener of [...this.#listeners]) listener();
    this.#listeners.clear();
  }

  /** `until` in epoch ms. */
  #dueAt(until: number): () => void {
    return this.clock.at(until + READING_MS, () => this.on.due());
  }
}
