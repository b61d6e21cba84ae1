import { assert, assertWhole } from '../ops/assert.js';
import type { SeatElsewhere, TableElsewhere } from '../lobby/index.js';
import type { Queryable } from '../store/database.js';

/** Homes, hosts and players of pools (sql/186_homes.sql). */

/**
 * Makes the node the agent's home, unless another living node is; resolves to the home. An agent at a table that no living
 * node has stays with the ended node until the table is claimed.
 */
export async function claimHome(sql: Queryable, agentId: string, nodeId: string): Promise<string> {
  const [row] = await sql<{ home: string }[]>`select claim_home(${agentId}, ${nodeId}) as home`;
  assert(row !== undefined, 'an agent has a home once it is claimed', agentId);
  return row.home;
}

/** Makes another node the home; false where this one no longer is. */
export async function giveHome(sql: Queryable, agentId: string, from: string, to: string): Promise<boolean> {
  assert(from !== to, 'a home is given to another node', agentId);
  const { count } = await sql`
    update homes set node_id = ${to} where agent_id = ${agentId} and node_id = ${from}
      and exists (select from nodes where node_id = ${to} and ended_at is null)`;
  assert(count <= 1, 'an agent has one home', agentId);
  return count === 1;
}

export async function freeHomes(sql: Queryable, nodeId: string, agentIds: readonly string[]): Promise<void> {
  assert(agentIds.length > 0, 'homes are freed where there are any', nodeId);
  await sql`delete from homes where node_id = ${nodeId} and agent_id = any(${agentIds as string[]}::uuid[])`;
}

/** Stores homes again that the database may have lost, since their commits do not wait for the disk. */
export async function keepHomes(sql: Queryable, nodeId: string, agentIds: readonly string[]): Promise<void> {
  assert(new Set(agentIds).size === agentIds.length, 'an agent has one home', nodeId);
  await sql`
    insert into homes (agent_id, node_id)
    select agent_id, ${nodeId} from agents where agent_id = any(${agentIds as string[]}::uuid[])
    on conflict (agent_id) do nothing`;
}

/** Agents with this node as their home. */
export async function ownHomes(sql: Queryable, nodeId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select agent_id as id from homes where node_id = ${nodeId}`;
  assert(new Set(rows.map(({ id }) => id)).size === rows.length, 'an agent has one home', nodeId);
  return rows.map(({ id }) => id);
}

/** Makes the node the pool's host, unless another living node is that does not drain; resolves to the host. */
export async function claimHost(sql: Queryable, poolId: string, nodeId: string): Promise<string> {
  const [row] = await sql<{ host: string }[]>`select claim_host(${poolId}, ${nodeId}) as host`;
  assert(row !== undefined, 'a pool has a host once it is claimed', poolId);
  return row.host;
}

export interface PoolOfNodes {
  poolId: string;
  /** Null: the pool has no host. */
  host: string | null;
  /** Players that sit or wait at other nodes. */
  players: number;
}

/** Pools with a host or with players at other living nodes. */
export async function poolsOfOthers(sql: Queryable, nodeId: string): Promise<PoolOfNodes[]> {
  return sql<PoolOfNodes[]>`
    select coalesce(h.pool_id, p.pool_id) as "poolId", h.node_id as host, coalesce(p.players, 0)::integer as players
    from (select pool_id, pool_hosts.node_id from pool_hosts join nodes using (node_id)
        where ended_at is null and not draining) h
      full join (select pool_id, sum(players) as players from node_pools join nodes using (node_id)
        where ended_at is null and node_id <> ${nodeId} group by pool_id) p on p.pool_id = h.pool_id`;
}

/** Stores the players of this node's pools. */
export async function storePlayers(
  sql: Queryable,
  nodeId: string,
  players: ReadonlyMap<string, number>,
): Promise<void> {
  for (const count of players.values()) assertWhole(count, 'the players of a pool');
  await sql`
    with now as (
      select * from unnest(${[...players.keys()]}::uuid[], ${[...players.values()]}::integer[]) as n (pool_id, players)
      where exists (select from pools where pools.pool_id = n.pool_id)),
    gone as (delete from node_pools p where node_id = ${nodeId} and not exists (select from now where now.pool_id = p.pool_id))
    insert into node_pools (node_id, pool_id, players) select ${nodeId}, pool_id, players from now
    on conflict (node_id, pool_id) do update set players = excluded.players
    where node_pools.players <> excluded.players`;
}

/** The node drains: no pool has it as its host from now on. */
export async function storeDrain(sql: Queryable, nodeId: string): Promise<void> {
  const { count } = await sql`update nodes set draining = true where node_id = ${nodeId}`;
  assert(count <= 1, 'one node has the id', nodeId);
}

/** Whether tables wait for a node to claim them, and one lives that may: a node that drains claims nothing. */
export async function hasOrphans(sql: Queryable): Promise<boolean> {
  const [row] = await sql<{ orphans: boolean }[]>`
    select exists (select from nodes where ended_at is null and not draining) and exists (
      select from tables t where status = 'open' and not exists (
        select from shards s join nodes n on n.node_id = s.holder
        where s.shard_no = t.shard_no and n.ended_at is null)) as orphans`;
  assert(row !== undefined, 'orphaned tables are looked for');
  return row.orphans;
}

/** Rows of nodes that ended are no use to anybody. */
export async function sweepEnded(sql: Queryable): Promise<void> {
  await sql`delete from node_pools p where not exists (select from nodes n where n.node_id = p.node_id and n.ended_at is null)`;
}

/** The node of an open table; null without one. */
export async function nodeOfTable(sql: Queryable, tableId: string): Promise<string | null> {
  const [row] = await sql<{ holder: string | null }[]>`
    select holder from tables join shards using (shard_no) where table_id = ${tableId} and status = 'open'`;
  return row?.holder ?? null;
}

/** Open tables of other living nodes, the oldest first. */
export async function tablesElsewhere(sql: Queryable, nodeId: string): Promise<TableElsewhere[]> {
  const rows = await sql<TableElsewhere[]>`
    select t.table_id as "tableId", t.pool_id as "poolId", t.hand_number as "handNumber",
      (select count(*)::integer from entries e where e.table_id = t.table_id) as players
    from tables t join shards s using (shard_no) join nodes n on n.node_id = s.holder
    where t.status = 'open' and n.ended_at is null and n.node_id <> ${nodeId} order by t.opened_at, t.table_id`;
  for (const { players } of rows) assertWhole(players, 'the players of a table');
  return rows;
}

/** The seat that the agent has at any node; null without one. */
export async function seatElsewhere(sql: Queryable, agentId: string): Promise<SeatElsewhere | null> {
  const [row] = await sql<SeatElsewhere[]>`
    select e.table_id as "tableId", e.pool_id as "poolId", e.seat_no as seat
    from entries e join tables t using (table_id) where e.agent_id = ${agentId} and t.status = 'open'`;
  if (row !== undefined) assertWhole(row.seat, 'a stored seat');
  return row ?? null;
}

/** The node that leads; null while none does. */
export async function leaderOf(sql: Queryable): Promise<string | null> {
  const [row] = await sql<{ holder: string | null }[]>`select holder from leadership`;
  return row?.holder ?? null;
}

/** The agent's home; null without one. */
export async function homeOf(sql: Queryable, agentId: string): Promise<string | null> {
  const [row] = await sql<{ home: string }[]>`select node_id as home from homes where agent_id = ${agentId}`;
  return row?.home ?? null;
}
