/** Ends of keys are read again for a minute (admin/watch.ts). They are remembered for longer, by their own dates. */
const KEPT_MS = 600_000;
/** So many are remembered before old ones go. */
const MANY = 1000;

/**
 * The ends of agents' keys that this node has carried out. An end comes several times: by the request that asked for it,
 * by another node's notice, and by the rows.
 */
export class EndedKeys {
  /** When it was, by agent and time. */
  readonly #seen = new Map<string, number>();

  /** Whether it is asked about for the first time; `at` in epoch ms by the database's clock. */
  isNew(agentId: string, at: number): boolean {
    const key = `${agentId} ${at}`;
    if (this.#seen.has(key)) return false;
    if (this.#seen.size >= MANY) {
      for (const [other, ended] of this.#seen) if (ended < at - KEPT_MS) this.#seen.delete(other);
    }
    this.#seen.set(key, at);
    return true;
  }
}
