import { columns } from '../../command/columns.js';
import { change, CommandError, look, NotThereError } from '../command.js';
import * as queries from '../node-queries.js';

export const listNodes = look({
  name: 'nodes list',
  purpose: 'the processes that work on this database, and which of them leads; the shards and open tables of each',
  look: async (sql) => {
    const nodes = await queries.selectNodes(sql);
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
    const [node, another] = await queries.lockNodes(tx, NODE);
    if (node === undefined) throw new NotThereError(`there is no node ${NODE}`);
    if (another !== undefined) throw new CommandError(`several nodes begin with ${NODE}: write more of it`);
    const { node_id, name } = node;
    const asked = node.drain_asked_at === null;
    if (asked) await queries.askToDrain(tx, node_id);
    return {
      entry: asked ? { subject: node_id, detail: { name } } : null,
      data: { node_id, name },
      lines: [`node ${node_id} (${name}) ${asked ? 'leaves' : 'was asked to leave before'}`],
    };
  },
});

export const nodeCommands = [listNodes, drain];
