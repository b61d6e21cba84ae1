import { columns } from '../../command/columns.js';
import { change, CommandError, look, NotThereError } from '../command.js';
import type { Queryable, Transaction } from '../../store/database.js';

/** A node that nobody has ended. */
interface NodeRow {
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
const selectNodes = (sql: Queryable): Promise<NodeRow[]> => sql<NodeRow[]>`
  select n.node_id, n.name, n.started_at, n.drain_asked_at, n.lease_until < clock_timestamp() as lapsed,
    exists (select from leadership l where l.holder = n.node_id) as leads, s.shards, s.tables
  from nodes n cross join lateral (
    select count(*)::int as shards, coalesce(sum(t.tables), 0)::int as tables from shards s cross join lateral (
      select count(*) as tables from tables t where t.shard_no = s.shard_no and t.status = 'open'
    ) t where s.holder = n.node_id
  ) s where n.ended_at is null order by n.started_at`;

/** At most two nodes with an id that begins so. */
const lockNodes = (tx: Transaction, start: string) => tx<Pick<NodeRow, 'node_id' | 'name' | 'drain_asked_at'>[]>`
  select node_id, name, drain_asked_at from nodes
  where ended_at is null and starts_with(node_id::text, ${start.toLowerCase()}) limit 2 for update`;

export async function askToDrain(tx: Transaction, nodeId: string): Promise<void> {
  await tx`update nodes set drain_asked_at = clock_timestamp() where node_id = ${nodeId}`;
}

export const listNodes = look({
  name: 'nodes list',
  purpose: 'the processes that work on this database, and the leader; the shards and open tables of each',
  look: async (sql) => {
    const nodes = await selectNodes(sql);
    const rows = nodes.map(({ node_id, name, leads, started_at, shards, tables, lapsed, drain_asked_at }) => [
      ...[node_id, name, leads ? 'leads' : '', started_at.toISOString(), String(shards), String(tables)],
      lapsed ? 'silent' : drain_asked_at === null ? '' : 'drains',
    ]);
    return { data: { nodes }, lines: columns([['node_id', 'name', '', 'started', 'shards', 'tables', ''], ...rows]) };
  },
});

export const drain = change({
  name: 'drain',
  purpose: 'asks a node to leave: it finishes its hands, sends its sockets elsewhere and ends, as after SIGTERM',
  words: ['NODE'],
  change: async (tx, { NODE }) => {
    const [node, another] = await lockNodes(tx, NODE);
    if (node === undefined) throw new NotThereError(`there is no node ${NODE}`);
    if (another !== undefined) throw new CommandError(`several nodes begin with ${NODE}: write more of it`);
    const { node_id, name } = node;
    const asked = node.drain_asked_at === null;
    if (asked) await askToDrain(tx, node_id);
    return {
      entry: asked ? { subject: node_id, detail: { name } } : null,
      data: { node_id, name },
      lines: [`node ${node_id} (${name}) ${asked ? 'leaves' : 'was asked to leave before'}`],
    };
  },
});

export const nodeCommands = [listNodes, drain];
