import type { Fragment, Queryable } from '../database.js';

/** The leases of nodes (sql/160_nodes.sql). All by the clock of the database; leases in ms. */

/** The node that leads, or led last. */
export interface Leading {
  nodeId: string;
  /** No node has ended it. */
  lives: boolean;
}

/** A node that no other has ended. */
export interface LivingNode {
  nodeId: string;
  name: string;
  since: Date;
  /** End of its lease. */
  until: Date;
  /** Its lease has run out. */
  lapsed: boolean;
  /** No session holds its lock: it is dead, or its connection broke a moment ago. */
  silent: boolean;
  /** Where other nodes reach it; null: it serves the database by itself. */
  internal: string | null;
}

/** Why a node that lives may be ended: its lease has run out, its session is gone as well, or we are alone here. */
export type DeathProof = 'lease' | 'session' | 'alone';

/** Whether the schema's release has leases. */
export async function knowsNodes(sql: Queryable): Promise<boolean> {
  const [row] = await sql<{ there: boolean }[]>`select to_regclass('leadership') is not null as there`;
  return row!.there;
}

/** Null while no node ever led. A leader without a row has ended. */
export async function leading(sql: Queryable): Promise<Leading | null> {
  const [row] = await sql<Leading[]>`
    select l.holder as "nodeId", n.node_id is not null and n.ended_at is null as lives
    from leadership l left join nodes n on n.node_id = l.holder
    where l.holder is not null`;
  return row ?? null;
}

/** All living nodes but this one, the oldest first. */
export async function otherNodes(sql: Queryable, nodeId: string): Promise<LivingNode[]> {
  return sql<LivingNode[]>`
    select node_id as "nodeId", name, started_at as since, lease_until as until,
      lease_until < clock_timestamp() as lapsed, ${silentIn(sql, sql`node_id`)} as silent, address as internal
    from nodes where ended_at is null and node_id <> ${nodeId} order by started_at, node_id`;
}

/**
 * Begins a node's life, for which the session of this connection answers: its lock lasts as long as the session. Rows of
 * nodes that ended long ago go. Resolves to the database's time in epoch ms.
 */
export async function register(
  sql: Queryable,
  { nodeId, name, internal, leaseMs }: { nodeId: string; name: string; internal: string | null; leaseMs: number },
): Promise<number> {
  await sql`delete from nodes where ended_at < now() - interval '7 days'`;
  const [row] = await sql<{ time: number }[]>`
    with session as materialized (${answering(sql, nodeId)})
    insert into nodes (node_id, name, address, lease_until, session_since)
    select ${nodeId}, ${name}, ${internal}, clock_timestamp() + ${leaseMs} * interval '1 ms', since from session
    returning ${timeIn(sql)} as time`;
  return row!.time;
}

/** A renewal's news: whether the operator has asked the node to leave, and the time in epoch ms. */
export interface Renewal {
  drains: boolean;
  time: number;
}

/**
 * Renews the lease, also one that has run out as long as nobody ended the node. From now on the session of this
 * connection answers for it, in the same statement: after a break it is another one. Null where somebody ended the node.
 */
export async function renew(sql: Queryable, nodeId: string, leaseMs: number): Promise<Renewal | null> {
  const [row] = await sql<Renewal[]>`
    with session as materialized (${answering(sql, nodeId)})
    update nodes set lease_until = clock_timestamp() + ${leaseMs} * interval '1 ms', session_since = since
    from session where node_id = ${nodeId} and ended_at is null
    returning drain_asked_at is not null as drains, ${timeIn(sql)} as time`;
  return row ?? null;
}

/**
 * Ends another node, if the proof holds; false where it does not, or where somebody was faster. A session that is gone
 * proves nothing if it began before the server did: the server's restart ended all of them.
 */
export async function endOther(sql: Queryable, dead: string, by: string, proof: DeathProof): Promise<boolean> {
  const { count } = await sql`
    update nodes set ended_at = clock_timestamp(), ended_by = ${by}
    where node_id = ${dead} and ended_at is null and case
      when ${proof} = 'alone' or lease_until < clock_timestamp() then true
      when ${proof} = 'session' and session_since > pg_postmaster_start_time()
        then pg_try_advisory_xact_lock(${keyOf(sql)}, hashtext(${dead}))
      else false end`;
  return count === 1;
}

/** The node gives up all that it has. */
export async function endOwn(sql: Queryable, nodeId: string): Promise<void> {
  await sql`
    update nodes set ended_at = clock_timestamp(), ended_by = node_id where node_id = ${nodeId} and ended_at is null`;
}

/**
 * Takes the leadership from a node that was seen to have ended (null: there was no leader yet), or keeps our own.
 * Resolves to its new epoch, or to null if another node has it by now, or we have ended. Compared is with what was
 * seen: a look at the nodes within this statement would not see a rival that came after it began.
 */
export async function claimLeadership(sql: Queryable, nodeId: string, seen: string | null): Promise<number | null> {
  const [row] = await sql<{ epoch: number }[]>`
    update leadership set epoch = epoch + 1, holder = ${nodeId}
    where (holder is not distinct from ${seen}::uuid or holder = ${nodeId})
      and exists (select from nodes where node_id = ${nodeId} and ended_at is null)
    returning epoch`;
  return row?.epoch ?? null;
}

/** The refusal of a statement because another node leads. */
export const NOT_LEADER = 'leader';

/** Raises AP001 unless the epoch is the present one, and keeps it so until the transaction ends. */
export async function requireLeader(tx: Queryable, epoch: number): Promise<void> {
  await tx`select ${leads(tx, epoch)}`;
}

/** The same as a condition. A claim waits for the row's lock, and whoever waits for a claim sees its epoch. */
export const leads = (sql: Queryable, epoch: number): Fragment =>
  sql`require((select epoch from leadership for share) = ${epoch}::bigint, ${NOT_LEADER})`;

/** Takes the lock of the node, again and again without harm, and tells when the session began that now has it. */
const answering = (sql: Queryable, nodeId: string) => sql`
  select backend_start as since, pg_advisory_lock_shared(${keyOf(sql)}, hashtext(${nodeId}))
  from pg_stat_activity where pid = pg_backend_pid()`;

/** The database's time in epoch ms. */
const timeIn = (sql: Queryable) => sql`(extract(epoch from clock_timestamp()) * 1000)::float8`;

/** The class of the advisory locks by which nodes show that they live. */
const keyOf = (sql: Queryable) => sql`hashtext('agent-poker node')`;

/** Whether no session holds the lock of a node, by a column. */
const silentIn = (sql: Queryable, node: Fragment) => sql`
  not exists (
    select from pg_locks
    where locktype = 'advisory' and classid::bigint = (${keyOf(sql)}::bigint & 4294967295)
      and objid::bigint = (hashtext(${node}::text)::bigint & 4294967295) and granted
      and database = (select oid from pg_database where datname = current_database()))`;
