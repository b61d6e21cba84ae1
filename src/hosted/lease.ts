import type { Clock, Lease } from '../lobby/index.js';

/** Whose socket a token opened, and by which right. */
export interface Grant {
  agentId: string;
  seasonId: string;
  /** Of the agent's runtime. */
  generation: number;
}

/** The database's clock is known to so many ms: a token does not end before its time. */
export const READING_MS = 20;

/** The life of a token, as far as somebody is connected by it. */
export class TokenLease implements Lease {
  readonly #listeners = new Set<() => void>();
  #cancel: () => void;
  over = false;

  constructor(
    readonly grant: Grant,
    private readonly clock: Clock,
    until: number,
    private readonly ended: () => void,
  ) {
    this.#cancel = this.#endAt(until);
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
    if (!this.over) this.#cancel = this.#endAt(until);
  }

  end(): void {
    if (this.over) return;
    this.over = true;
    this.#cancel();
    this.ended();
    for (const listener of [...this.#listeners]) listener();
    this.#listeners.clear();
  }

  /** `until` in epoch ms. */
  #endAt(until: number): () => void {
    return this.clock.at(until + READING_MS, () => {
      this.end();
    });
  }
}
