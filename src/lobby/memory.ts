/** Facts of agents, for a limited number of agents. The one that was written first is forgotten first. */
export class Memory<T> {
  readonly #of = new Map<string, T>();

  constructor(private readonly most: number) {}

  of(agentId: string): T | undefined {
    return this.#of.get(agentId);
  }

  set(agentId: string, what: T): void {
    this.#of.delete(agentId);
    this.#of.set(agentId, what);
    if (this.#of.size <= this.most) return;
    for (const oldest of this.#of.keys()) {
      this.#of.delete(oldest);
      return;
    }
  }
}
