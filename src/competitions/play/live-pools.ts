import type { Database, Queryable } from '../../store/database.js';
import { selectLivePools, selectPoolKinds, selectPools } from '../queries.js';
import type { LivePool } from '../record.js';
import { isFinal } from '../states.js';

/**
 * The competitions in memory: whoever plays, seats or admits asks here, at any rate. A writer refreshes a competition
 * after the commit. Changes of another node are read when its notice comes.
 */
export class LivePools {
  /** Also those that are over, by their last record: a read that began before the end brings none back to life. */
  readonly #pools = new Map<string, LivePool>();

  constructor(private readonly sql: Database) {}

  /** Reads all that are not over: before the first table of a pool is opened again. */
  async load(): Promise<void> {
    for (const pool of await selectLivePools(this.sql)) this.#put(pool);
  }

  /** Undefined for one that is over, or none at all. */
  of(competitionId: string): LivePool | undefined {
    const pool = this.#pools.get(competitionId);
    return pool === undefined || isFinal(pool.state) ? undefined : pool;
  }

  /** The same for one that is over by now. */
  last(competitionId: string): LivePool | undefined {
    return this.#pools.get(competitionId);
  }

  *all(): IterableIterator<LivePool> {
    for (const pool of this.#pools.values()) if (!isFinal(pool.state)) yield pool;
  }

  /** Resolves to what it is now. */
  async refresh(competitionId: string): Promise<LivePool | undefined> {
    for (const pool of await selectPools(this.sql, [competitionId])) this.#put(pool);
    return this.of(competitionId);
  }

  /**
   * Makes sure that the rules of these pools are known before their tables open. Reads the unknown competitions.
   * Rejects for an id that is no pool's.
   */
  async ensure(poolIds: readonly string[], sql: Queryable = this.sql): Promise<void> {
    const unmet = [...new Set(poolIds)].filter((id) => !this.#pools.has(id));
    if (unmet.length === 0) return;
    const kinds = new Map((await selectPoolKinds(sql, unmet)).map(({ pool_id: id, kind }) => [id, kind]));
    const unknown = unmet.find((id) => !kinds.has(id));
    if (unknown !== undefined) throw new Error(`there is no pool ${unknown}`);
    for (const pool of await selectPools(sql, unmet)) this.#put(pool);
  }

  #put(pool: LivePool): void {
    const id = pool.competition_id;
    const known = this.#pools.get(id);
    if (known !== undefined && isNewer(known, pool)) return;
    this.#pools.set(id, pool);
  }
}

/** By the version of the record. A phase changes without one, and only goes forward then. */
const isNewer = (one: LivePool, other: LivePool) =>
  one.version > other.version || (one.version === other.version && one.phase === 'closing_now');
