import type { Queryable, Transaction } from '../store/database.js';

/** A node that nobody has ended. */
export interface NodeRow {
  node_id: string;
  name: string;
  leads: boolean;
  started_at: Date;
  /** Its lease has run out: it is dead, or has lost the database. */
  lapsed: boolean;
  drain_asked_at: Date | null;
  /** Its shards, and the open tables on them. */
  shards: number;
  tables: number;
}

/** The oldest first. */
export const selectNodes = (sql: Queryable): Promise<NodeRow[]> => sql<NodeRow[]>`
  select n.node_id, n.name, n.started_at, n.drain_asked_at, n.lease_until < clock_timestamp() as lapsed,
    exists (select from leadership l where l.holder = n.node_id) as leads, s.shards, s.tables
  from nodes n cross join lateral (
    select count(*)::int as shards, coalesce(sum(t.tables), 0)::int as tables from shards s cross join lateral (
      select count(*) as tables from tables t where t.shard_no = s.shard_no and t.status = 'open'
    ) t where s.holder = n.node_id
  ) s where n.ended_at is null order by n.started_at`;

/** The nodes with ids that begin so. Two at most. */
export const lockNodes = (tx: Transaction, start: string) => tx<Pick<NodeRow, 'node_id' | 'name' | 'drain_asked_at'>[]>`
  select node_id, name, drain_asked_at from nodes
  where ended_at is null and starts_with(node_id::text, ${start.toLowerCase()}) limit 2 for update`;

export async function askToDrain(tx: Transaction, nodeId: string): Promise<void> {
  await tx`update nodes set drain_asked_at = clock_timestamp() where node_id = ${nodeId}`;
}
