import { assert, assertWhole } from '../../ops/assert.js';
import { transaction, type Database, type Transaction } from '../../store/database.js';
import { Displaced } from '../../store/node/leadership.js';
import type { TableOpening, TableRules } from '../../table/api.js';
import { claimShard, closeOrphanedTables, lockOrphanedTables, storedTables } from '../commit/queries.js';
import type { Recovery } from './options.js';

/**
 * The claims on tables between the nodes of a database. A node holds shards, and a shard holds tables. Tables of shards
 * that no living node holds are orphans: any living node may claim them, at its start and whenever another ends.
 */

export interface TableClaim {
  nodeId: string;
  /** The node's own shards by their stored numbers, with the players on each. */
  players: ReadonlyMap<number, number>;
  /** The most tables to claim; the share of this node while others claim, too. */
  most: number;
  /** Whether each agent has a home (sql/186): false for a node that serves the database by itself. */
  homes: boolean;
}

/** A table, with the stored number of the shard that has it now. */
export interface ClaimedTable {
  table: Awaited<ReturnType<typeof storedTables>>[number];
  shard: number;
}

/**
 * At the start: so many shards for this node, and the orphaned tables on them (its share, where other nodes live).
 * Resolves to the shards' stored numbers. Throws Displaced where another node has ended this one: nothing changes then.
 */
export async function takeShards(
  sql: Database,
  { nodeId, threads, homes }: { nodeId: string; threads: number; homes: boolean },
): Promise<number[]> {
  assert(threads > 0, 'a node has a shard', threads);
  return transaction(sql, async (tx) => {
    await requireLife(tx, nodeId);
    await fenceOrphans(tx);
    const { living, tables } = await counts(tx);
    const numbers = await freeNumbers(tx, threads, living === 1);
    assert(numbers.length === threads, 'each shard of a node has a number', numbers.length);
    assert(new Set(numbers).size === threads, 'two shards have two numbers');
    await tx`
      insert into shards (shard_no, epoch, holder)
      select n, 1, ${nodeId} from unnest(${numbers}::integer[]) n
      on conflict (shard_no) do update set epoch = shards.epoch + 1, holder = excluded.holder`;
    // Those that are on these numbers already are dealt out as well, since their spread is that of another start.
    await tx`update tables set shard_no = -1 where status = 'open' and shard_no = any(${numbers}::integer[])`;
    const players = new Map(numbers.map((number) => [number, 0]));
    await claim(tx, { nodeId, players, homes, most: Math.ceil(tables / living) });
    return numbers;
  });
}

/**
 * Claims orphaned tables for the node's living shards, the shard with the fewest players first; resolves to them as they
 * were at their last commit. Tables without players close. Throws Displaced.
 */
export async function claimTables(sql: Database, of: TableClaim): Promise<ClaimedTable[]> {
  assert(of.players.size > 0, 'a node that claims tables has a shard');
  assertWhole(of.most, 'the share of a node');
  return transaction(sql, async (tx) => {
    await requireLife(tx, of.nodeId);
    await fenceOrphans(tx);
    return claim(tx, of);
  });
}

/** Open tables of the database, and the nodes that live. */
export async function counts(sql: Database | Transaction): Promise<{ tables: number; living: number }> {
  const [row] = await sql<{ tables: number; living: number }[]>`
    select (select count(*)::integer from tables where status = 'open') as tables,
      (select count(*)::integer from nodes where ended_at is null) as living`;
  assert(row !== undefined, 'tables and nodes are counted');
  return row;
}

/** A node that ends this one waits for this lock. */
async function requireLife(tx: Transaction, nodeId: string): Promise<void> {
  const [own] = await tx<{ ended: boolean }[]>`
    select ended_at is not null as ended from nodes where node_id = ${nodeId} for share`;
  assert(own !== undefined, 'a node that claims is registered', nodeId);
  if (own.ended) throw new Displaced();
  // Claims run one after the other, so that each sees what those before have taken.
  await tx`select pg_advisory_xact_lock(hashtext('agent-poker shards'))`;
}

/** No shard of an ended node writes any more: its epoch is raised, which waits for writes under way. */
async function fenceOrphans(tx: Transaction): Promise<void> {
  await tx`
    update shards set epoch = epoch + 1, holder = null
    where holder is not null and not exists (select from nodes where node_id = holder and ended_at is null)`;
}

/** Numbers that no node holds. While others live, tables on a number must be for them to claim, too. */
async function freeNumbers(tx: Transaction, count: number, alone: boolean): Promise<number[]> {
  const free = await tx<{ n: number }[]>`
    select n from generate_series(0, (select coalesce(max(shard_no), -1) from shards) + ${count}::integer) n
    where not exists (select from shards where shard_no = n and holder is not null)
      and (${alone} or not exists (select from tables where shard_no = n and status = 'open'))
    order by n limit ${count}`;
  return free.map(({ n }) => n);
}

async function claim(tx: Transaction, { nodeId, players, most, homes }: TableClaim): Promise<ClaimedTable[]> {
  await closeOrphanedTables(tx);
  const ids = await lockOrphanedTables(tx, most);
  if (ids.length === 0) return [];
  const load = new Map(players);
  assert(load.size > 0, 'a node that claims tables has a shard');
  const claimed = (await storedTables(tx, { ids })).map((table): ClaimedTable => {
    const [shard] = [...load].reduce((least, other) => (other[1] < least[1] ? other : least));
    load.set(shard, load.get(shard)! + table.sittings.length);
    return { table, shard };
  });
  await tx`
    update tables t set shard_no = c.shard_no
    from unnest(${claimed.map(({ table }) => table.tableId)}::uuid[],
      ${claimed.map(({ shard }) => shard)}::integer[]) as c (table_id, shard_no)
    where t.table_id = c.table_id`;
  assert(claimed.length <= most, 'a node claims its share', claimed.length);
  const agents = claimed.flatMap(({ table }) => table.sittings.map(({ player }) => player.agentId));
  if (homes && agents.length > 0) {
    await tx`
      insert into homes (agent_id, node_id) select agent, ${nodeId} from unnest(${agents}::uuid[]) agent
      on conflict (agent_id) do update set node_id = excluded.node_id`;
  }
  return claimed;
}

/**
 * The start of a shard's thread: a new epoch, then the tables as of their last commit. Throws Displaced when another
 * node has ended this one.
 */
export async function recoverShard(
  sql: Database,
  nodeId: string,
  shard: number,
  rulesOf: (poolId: string) => { table: TableRules },
): Promise<Recovery> {
  const epoch = await claimShard(sql, shard, nodeId);
  assert(epoch > 0, 'a shard that begins has an epoch', epoch);
  const stored = await storedTables(sql, { shard });
  for (const { seqFloor } of stored) assertWhole(seqFloor, 'the stored bound of table_seq');
  return {
    fence: { shard, epoch },
    tables: stored.map((table): TableOpening => ({ ...table, rules: rulesOf(table.poolId).table })),
  };
}
