import { transaction, type Database } from '../../store/database.js';
import type { TableOpening, TableRules } from '../../table/api.js';
import { claimShard, closeAbandonedTables, storedTables } from '../commit/queries.js';
import type { Recovery } from './options.js';

/**
 * Before the first shard starts: takes all shards for this holder (any UUID that no process had before), which fences
 * off every writer of an earlier process, closes the tables where nobody sits and deals the others out evenly to the
 * shards there are now, whose number may have changed.
 */
export async function prepareTables(sql: Database, threads: number, holder: string): Promise<void> {
  await transaction(sql, async (tx) => {
    await tx`
      insert into shards (shard_no, epoch, holder)
      select shard_no, 1, ${holder} from generate_series(0, ${threads}::integer - 1) as shard_no
      on conflict (shard_no) do nothing`;
    await tx`update shards set epoch = epoch + 1, holder = ${holder}`;
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
 * when another holder has the shards.
 */
export async function recoverShard(
  sql: Database,
  holder: string,
  shard: number,
  rulesOf: (poolId: string) => { table: TableRules },
): Promise<Recovery> {
  const epoch = await claimShard(sql, shard, holder);
  const stored = await storedTables(sql, shard);
  return { epoch, tables: stored.map((table): TableOpening => ({ ...table, rules: rulesOf(table.poolId).table })) };
}
