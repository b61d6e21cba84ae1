import { secureRandom } from '../src/cards/shuffle.js';
import { runShard } from '../src/shard/host/shard.js';
import type { ShardTask } from '../src/shard/task.js';
import { outliveTypeQueries } from '../src/store/type-query.js';
import { createTable } from '../src/table/table.js';

outliveTypeQueries();

/** A shard's thread: one task that runs as long as the shard lives. */
export default function shard(task: ShardTask): Promise<void> {
  return runShard(task, { createTable, random: secureRandom() });
}
