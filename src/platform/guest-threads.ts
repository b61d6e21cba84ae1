import type { GuestShardsOptions, GuestThread } from '../nodes/guest-thread.js';
import type { Logger } from '../ops/log.js';
import type { Config } from '../ops/settings.js';
import { createShardPool } from '../shard/main/pool.js';
import { clockOrigin } from '../shard/steady-clock.js';

/** Threads of shards that are lent: each lives once, from an epoch without tables, by the leader's clock. */
export function guestThreads(
  { DATABASE_URL, COALESCE_MS, COALESCE_TABLES }: Config & { DATABASE_URL: string },
  log: Logger,
): GuestShardsOptions['thread'] {
  return ({ shard, epoch }, now): GuestThread => {
    let begun = false;
    const pool = createShardPool({
      threads: 1,
      first: shard,
      clockOrigin: clockOrigin(now),
      settings: {
        database: { url: DATABASE_URL },
        patientTables: COALESCE_MS > 0 ? COALESCE_TABLES : Infinity,
      },
      recover: async () => {
        if (begun) return null;
        begun = true;
        return { epoch, tables: [] };
      },
      onDisplaced: () => undefined,
      log: (level, message, detail) => log[level](detail, message),
    });
    return {
      send: (message) => pool.links[0]!.send(message),
      start: (listener) => pool.start(listener),
      drain: (ms) => pool.drain(ms),
      stop: () => pool.stop(),
      get stats() {
        return pool.stats(0);
      },
    };
  };
}
