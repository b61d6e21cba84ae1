import { assert } from '../../ops/assert.js';

/** A thread is overloaded if messages wait for so long (ms), or its loop works for so much of the time. */
const WAIT_MS = 15;
const BUSY = 0.9;
/** One pool's largest part of the time while pools contend. */
const SHARE = 0.5;
/** A pool may run so far ahead of its share, in ms of the shard's time. */
const AHEAD_MS = 10;
/** A pool that used time in one of so many rounds (a second) plays. */
const RECENT_ROUNDS = 10;
/** The longest time that a hand is put off at once; then it is looked at again. */
const LONGEST_MS = 100;

interface Pool {
  /** Open tables. */
  tables: number;
  /** Time used beyond its share, as of `at`. */
  owed: number;
  at: number;
  /** Used time in this round. */
  used: boolean;
  /** It takes part for so many rounds more: a starved pool may use no time in a round. */
  rounds: number;
}

/**
 * Deficits of pools in the shard's time, after deficit round robin (Shreedhar and Varghese, 1995). Each pool is charged
 * what its tables use. While pools contend, a pool is paid half of the time that passes; one that owes more begins no
 * hand. Hands under way are played on. Whether pools contend is found out once a round. Times in ms of one clock.
 */
export class PoolShares {
  readonly #pools = new Map<string, Pool>();
  #contended = false;

  opened(poolId: string): void {
    const pool = this.#pools.get(poolId);
    if (pool === undefined) this.#pools.set(poolId, { tables: 1, owed: 0, at: 0, used: false, rounds: 0 });
    else pool.tables++;
  }

  gone(poolId: string): void {
    const pool = this.#pools.get(poolId);
    assert(pool !== undefined && pool.tables > 0, 'a pool that loses a table had one', poolId);
    if (--pool.tables === 0) this.#pools.delete(poolId);
  }

  /** With one pool there is nothing to share out, and nothing to measure. */
  get counts(): boolean {
    return this.#pools.size > 1;
  }

  spent(poolId: string, ms: number): void {
    const pool = this.#pools.get(poolId);
    if (pool === undefined) return;
    assert(ms >= 0, 'a call takes time', ms);
    pool.owed += ms;
    pool.used = true;
  }

  /** A round ends at `now`. In it messages waited for so long, and the loop worked for this part of the time. */
  round(now: number, waitedMs: number, utilization: number): void {
    const pools = [...this.#pools.values()];
    for (const pool of pools) {
      this.#pay(pool, now);
      pool.rounds = pool.used ? RECENT_ROUNDS : Math.max(0, pool.rounds - 1);
      pool.used = false;
    }
    const full = waitedMs >= WAIT_MS || utilization >= BUSY;
    this.#contended = full && pools.filter(({ rounds }) => rounds > 0).length > 1;
  }

  /** How long a table of the pool waits before it may begin a hand; 0: not at all. */
  waitOf(poolId: string, now: number): number {
    const pool = this.#pools.get(poolId);
    if (!this.#contended || !this.counts || pool === undefined) return 0;
    this.#pay(pool, now);
    assert(pool.owed >= 0, 'a pool owes time or none', pool.owed);
    const over = pool.owed - AHEAD_MS;
    return over <= 0 ? 0 : Math.min(LONGEST_MS, over / SHARE);
  }

  #pay(pool: Pool, now: number): void {
    pool.owed = Math.max(0, pool.owed - (now - pool.at) * (this.#contended ? SHARE : 1));
    pool.at = now;
  }
}
