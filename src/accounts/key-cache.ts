import type { HolderRow } from './queries.js';

interface Cached {
  holder: HolderRow;
  /** Epoch ms. */
  until: number;
}

/**
 * Holders of keys that were looked up lately, by hash. `drop` takes an agent's keys out at once and makes look-ups that
 * are under way start again, so that an old key cannot slip back in. Entries age, for changes made behind our back.
 */
export class KeyCache {
  readonly #byHash = new Map<string, Cached>();
  readonly #hashesOf = new Map<string, Set<string>>();
  #version = 0;

  constructor(
    private readonly lookUp: (hash: Buffer) => Promise<HolderRow | undefined>,
    private readonly options: { now: () => number; maxAgeMs: number; size: number },
  ) {}

  async find(hash: Buffer): Promise<HolderRow | undefined> {
    const key = hash.toString('latin1');
    const cached = this.#byHash.get(key);
    if (cached !== undefined && this.options.now() < cached.until) return cached.holder;
    for (;;) {
      const version = this.#version;
      const holder = await this.lookUp(hash);
      if (version !== this.#version) continue;
      if (holder !== undefined) this.#keep(key, holder);
      return holder;
    }
  }

  /** The agent's key or profile changed. */
  drop(agentId: string): void {
    this.#version++;
    for (const key of this.#hashesOf.get(agentId) ?? []) this.#byHash.delete(key);
    this.#hashesOf.delete(agentId);
  }

  #keep(key: string, holder: HolderRow): void {
    if (this.#byHash.size >= this.options.size) {
      this.#byHash.clear();
      this.#hashesOf.clear();
    }
    this.#byHash.set(key, { holder, until: this.options.now() + this.options.maxAgeMs });
    const hashes = this.#hashesOf.get(holder.agent_id) ?? new Set();
    this.#hashesOf.set(holder.agent_id, hashes.add(key));
  }
}
