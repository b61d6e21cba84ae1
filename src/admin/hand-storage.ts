import { setTimeout as sleep } from 'node:timers/promises';
import type { LogStorage } from '../ops/health.js';
import { utc } from '../protocol/common.js';
import { countOf } from '../ops/buckets.js';
import type { ShardStats } from '../shard/messages.js';
import { isConnectionError, type Database } from '../store/database.js';
import { selectLogStorage } from './queries.js';

/** A database that does not answer must not keep the probes from it. */
const PATIENCE_MS = 1000;

/** How the storage of finished hands is, for /health/detail. */
export class HandStorage {
  constructor(
    private readonly sql: Database,
    private readonly shards: () => readonly ShardStats[],
  ) {}

  async figures(): Promise<LogStorage> {
    const stored = await this.#stored();
    const shards = this.shards();
    const sum = (value: (stats: ShardStats) => number) => shards.reduce((total, stats) => total + value(stats), 0);
    const commits = sum((stats) => countOf(stats.spans.commit));
    return {
      status: stored === null ? 'unavailable' : 'ok',
      hands_stored: stored?.hands ?? null,
      bytes: stored?.bytes ?? null,
      newest_hand_at: stored?.newest ? utc(stored.newest) : null,
      hands_waiting: Math.max(
        0,
        sum((stats) => stats.hands - stats.committedHands),
      ),
      commit_lag_ms: commits === 0 ? 0 : Math.round((1e6 * sum((stats) => stats.spans.commit.sum)) / commits) / 1000,
    };
  }

  /** Null while the database is away. */
  async #stored() {
    try {
      return await Promise.race([selectLogStorage(this.sql), sleep(PATIENCE_MS, null, { ref: false })]);
    } catch (error) {
      if (isConnectionError(error)) return null;
      throw error;
    }
  }
}
