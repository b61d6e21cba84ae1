import type * as real from '../../../src/shard/main/boot.js';
import { statement } from './statement.js';

/** The queries of src/cluster to src/shard/main/boot.ts, on rows in memory. A node has one shard here. */

export const counts: typeof real.counts = (sql) => statement(sql, (rows) => rows.counts());

export const claimTables: typeof real.claimTables = (sql, { players, most }) =>
  statement(sql, (rows) => {
    const [shard] = [...players.keys()];
    return rows.claim(shard!, most).map((table) => ({ table, shard: shard! }));
  });
