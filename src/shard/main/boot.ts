import { transaction, type Database } from '../../store/database.js';
import { Displaced } from '../../store/node/leadership.js';
import type { TableOpening, TableRules } from '../../table/api.js';
import { claimShard, closeAbandonedTables, storedTables } from '../commit/queries.js';
import type { Recovery } from './options.js';

/**
 * Before the first shard starts: takes all shards for this node, which fences off every writer of an earlier process,
 * closes the tables where nobody sits and deals the others out evenly to the shards there are now, whose number may have
 * changed. Throws Displaced when another node has ended this one, or lives and leads: nothing is changed then.
 */
export async function prepareTables(sql: Database, threads: number, nodeId: string): Promise<void> {
  await transaction(sql, async (tx) => {
    // Who would take the shards from us ends us first, and waits for this lock to do so.
    const [own] = await tx<{ ended: boolean }[]>`
      select ended_at is not null as ended from nodes where node_id = ${nodeId} for share`;
    if (own?.ended === true) throw new Displaced();
    await tx`
      insert into shards (shard_no, epoch, holder)
      select shard_no, 1, ${nodeId} from generate_series(0, ${threads}::integer - 1) as shard_no
      on conflict (shard_no) do nothing`;
    // Nodes that do not lead may live and have shards: they lent them to the leader before, and lose them here.
    const [other] = await tx<{ leads: boolean }[]>`
      select exists (select from leadership join nodes on node_id = holder
        where ended_at is null and node_id <> ${nodeId}) as leads`;
    if (other!.leads) throw new Displaced();
    // A number that no thread of ours has is nobody's, until it is lent.
    await tx`
      update shards set epoch = epoch + 1, holder = case when shard_no < ${threads}::integer then ${nodeId}::uuid end`;
    await closeAbandonedTables(tx);
    await tx`
      update tables t set shard_no = dealt.shard_no
      from (
        select table_id, (row_number() over (order by opened_at, table_id) - 1) % ${threads}::integer as shard_no
        from tables where status = 'open'
      ) dealt
      where t.table_id = dealt.table_id and t.shard_no <> dealt.shard_no`;
  });
}

/**
 * What a shard's thread starts from: a new epoch, then the tables as they were at their last commit. Throws Displaced
 * when another node has the shard, or has ended this one.
 */
export async function recoverShard(
  sql: Database,
  nodeId: string,
  shard: number,
  rulesOf: (poolId: string) => { table: TableRules },
): Promise<Recovery> {
  const epoch = await claimShard(sql, shard, nodeId);
  const stored = await storedTables(sql, shard);
  return { epoch, tables: stored.map((table): TableOpening => ({ ...table, rules: rulesOf(table.poolId).table })) };
}
