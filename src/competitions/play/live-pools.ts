import type { Database } from '../../store/database.js';
import { selectLivePool, selectLivePools } from '../queries.js';
import type { LivePool } from '../record.js';

/**
 * The competitions that are not over, in memory: whoever plays, seats or admits asks here, at any rate. Whoever changes
 * a competition refreshes it once that is committed.
 */
export class LivePools {
  readonly #pools = new Map<string, LivePool>();
  /** A read that began before the end and comes back after it must not bring the pool to life again. */
  readonly #over = new Set<string>();

  constructor(private readonly sql: Database) {}

  /** Reads them all: before the first table of a pool is opened again. */
  async load(): Promise<void> {
    for (const pool of await selectLivePools(this.sql)) this.#put(pool);
  }

  /** Undefined for one that is over, or none at all. */
  of(competitionId: string): LivePool | undefined {
    return this.#pools.get(competitionId);
  }

  all(): IterableIterator<LivePool> {
    return this.#pools.values();
  }

  /** Resolves to what it is now. */
  async refresh(competitionId: string): Promise<LivePool | undefined> {
    const pool = await selectLivePool(this.sql, competitionId);
    if (pool !== undefined) this.#put(pool);
    else {
      this.#over.add(competitionId);
      this.#pools.delete(competitionId);
    }
    return this.of(competitionId);
  }

  #put(pool: LivePool): void {
    const id = pool.competition_id;
    const known = this.#pools.get(id);
    if (this.#over.has(id) || (known !== undefined && known.version > pool.version)) return;
    this.#pools.set(id, pool);
  }
}
