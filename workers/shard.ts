import { secureRandom } from '../src/cards/shuffle.js';
import { runShard } from '../src/shard/host.js';
import type { ShardTask } from '../src/shard/task.js';
import { openTable } from '../src/table/table.js';

/** A shard's thread: one task that runs as long as the shard lives. */
export default function shard(task: ShardTask): Promise<void> {
  return runShard(task, { createTable: openTable, random: secureRandom() });
}
