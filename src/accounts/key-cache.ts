import type { KeyHolderRow } from './queries.js';

interface Cached {
  holder: KeyHolderRow;
  /** By the clock of the options. */
  until: number;
}

/** Keys that nobody holds are remembered for so long, and so many of them. */
const UNKNOWN_MS = 5000;
const UNKNOWN_KEYS = 1000;

/**
 * Holders of keys that were looked up, by hash, and keys that nobody holds. `drop` takes an agent's keys out at once
 * and restarts the look-ups under way, so that no old key slips back in. Entries age, for changes made behind our back:
 * then they are looked up again, but are no strangers. A banned agent's key finds nobody and is not remembered, so that
 * the end of a ban counts at once.
 */
export class KeyCache {
  readonly #byHash = new Map<string, Cached>();
  readonly #hashesOf = new Map<string, Set<string>>();
  /** Until when, by the clock of the options, nobody holds the key. */
  readonly #unknown = new Map<string, number>();
  /** Look-ups under way, by hash: whoever asks meanwhile waits for the same one. */
  readonly #asked = new Map<string, Promise<KeyHolderRow | undefined>>();
  #version = 0;

  /** `known`: somebody held the key when it was looked up last. */
  constructor(
    private readonly lookUp: (hash: Buffer, known: boolean) => Promise<KeyHolderRow | 'banned' | undefined>,
    private readonly options: { now: () => number; maxAgeMs: number; size: number },
  ) {}

  /** Whether somebody held the key when it was looked up last. */
  has(hash: Buffer): boolean {
    return this.#byHash.has(hash.toString('latin1'));
  }

  async find(hash: Buffer): Promise<KeyHolderRow | undefined> {
    const key = hash.toString('latin1');
    const cached = this.#byHash.get(key);
    if (cached !== undefined && this.options.now() < cached.until) return cached.holder;
    if (this.options.now() < (this.#unknown.get(key) ?? 0)) return undefined;
    let asked = this.#asked.get(key);
    if (asked === undefined) {
      asked = this.#ask(hash, key).finally(() => this.#asked.delete(key));
      this.#asked.set(key, asked);
    }
    return asked;
  }

  async #ask(hash: Buffer, key: string): Promise<KeyHolderRow | undefined> {
    for (;;) {
      const version = this.#version;
      const holder = await this.lookUp(hash, this.#byHash.has(key));
      if (version !== this.#version) continue;
      if (holder === 'banned' || holder === undefined) this.#byHash.delete(key);
      if (holder === 'banned') return undefined;
      if (holder === undefined) this.#remember(key);
      else this.#keep(key, holder);
      return holder;
    }
  }

  /** The agent's key or profile changed. */
  drop(agentId: string): void {
    this.#version++;
    for (const key of this.#hashesOf.get(agentId) ?? []) this.#byHash.delete(key);
    this.#hashesOf.delete(agentId);
    this.#unknown.clear();
  }

  #remember(key: string): void {
    if (this.#unknown.size >= UNKNOWN_KEYS) this.#unknown.clear();
    this.#unknown.set(key, this.options.now() + UNKNOWN_MS);
  }

  #keep(key: string, holder: KeyHolderRow): void {
    if (this.#byHash.size >= this.options.size) {
      this.#byHash.clear();
      this.#hashesOf.clear();
    }
    this.#byHash.set(key, { holder, until: this.options.now() + this.options.maxAgeMs });
    const hashes = this.#hashesOf.get(holder.agent_id) ?? new Set();
    this.#hashesOf.set(holder.agent_id, hashes.add(key));
  }
}
