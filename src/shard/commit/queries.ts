import { assert } from '../../ops/assert.js';
import type { Queryable } from '../../store/database.js';
import { Displaced } from '../../store/node/leadership.js';

/** All that a shard asks of the database. */

export { Fenced, WriteRefused, CommitRefused, type Fence, type WriteRefusal } from './fence.js';
export { commitHands } from './commit-hands.js';
export { buyIn, cashOut, rememberedStay, skim, type BuyIn, type CashOut, type Skim } from './sitting-queries.js';
export {
  adoptTable,
  adoptTables,
  closeOrphanedTables,
  closeTable,
  lockOrphanedTables,
  openTable,
  reserveSeq,
  storedTables,
  type Reservation,
  type StoredTable,
} from './table-queries.js';

/**
 * Raises the epoch of a shard of this node, which waits for writes under way and fences off later ones; resolves to the
 * new epoch. Throws Displaced when the shard is another node's by now, or another has ended this one: two would else
 * fence each other for ever.
 */
export async function claimShard(sql: Queryable, shard: number, nodeId: string): Promise<number> {
  const [row] = await sql<{ epoch: number }[]>`
    insert into shards (shard_no, epoch, holder)
    select ${shard}, 1, ${nodeId}
    where not exists (select from nodes where node_id = ${nodeId} and ended_at is not null)
    on conflict (shard_no) do update set epoch = shards.epoch + 1 where shards.holder = excluded.holder
    returning epoch`;
  if (row === undefined) throw new Displaced();
  assert(row.epoch > 0, 'epochs of a shard rise from 1', row.epoch);
  return row.epoch;
}
