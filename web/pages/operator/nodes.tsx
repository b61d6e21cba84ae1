import type { Answer } from '../../lib/api.js';
import { count } from '../../lib/format.js';
import { act, useOperator } from '../../lib/operator.js';
import { changed } from '../../lib/use-api.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { List, type Column } from '../../ui/list.js';
import { Section } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { Id, When } from '../../ui/values.js';

type Node = Answer<'GET /api/admin/nodes'>['nodes'][number];

const EVERY_MS = 5000;

const COLUMNS: readonly Column<Node>[] = [
  {
    key: 'name',
    head: 'Node',
    cell: ({ name, leads, silent, drains }) => (
      <>
        {name} {leads && <span class="badge accent">leads</span>}{' '}
        {silent && (
          <span class="badge bad" title="Its lease has run out: it is dead, or has lost the database">
            silent
          </span>
        )}{' '}
        {drains && <span class="badge">leaves</span>}
      </>
    ),
  },
  { key: 'id', head: 'Id', cell: ({ node_id: id }) => <Id id={id} />, low: true },
  { key: 'since', head: 'Runs since', cell: ({ started_at: at }) => <When at={at} /> },
  {
    key: 'shards',
    head: 'Shards',
    title: 'Threads for tables: the leader’s own, or those that a node lends to the leader',
    cell: ({ shards }) => count(shards),
    right: true,
  },
  { key: 'tables', head: 'Open tables', cell: ({ tables }) => count(tables), right: true },
  {
    key: 'do',
    head: <span class="hidden">Actions</span>,
    cell: (row) => !row.drains && <Drain of={row} />,
  },
];

/** The processes that work on the database; one is taken out by itself, from any of them. */
export function Nodes() {
  const found = useOperator('GET /api/admin/nodes', {}, { every: EVERY_MS });
  return (
    <Section title="Nodes">
      <Shown of={found}>
        {({ nodes }) => <List label="Nodes" columns={COLUMNS} rows={nodes} keyOf={({ node_id: id }) => id} />}
      </Shown>
    </Section>
  );
}

function Drain({ of: { node_id, name, leads } }: { of: Node }) {
  return (
    <ConfirmButton
      label="Take out"
      title={`Take out ${name}`}
      verb="Take it out"
      danger
      act={() => act('POST /api/admin/nodes/{node_id}/drain', { params: { node_id } })}
      done={() => changed('/api/admin/nodes', '/api/admin/log')}
    >
      <p>
        {leads
          ? 'It has the lobby and the tables. It finishes its hands, sends its sockets to other nodes, and ends. Another node takes over. Without another node the platform is away until this node starts again.'
          : 'Its sockets are sent elsewhere, and its process ends. It comes back when it is started again.'}
      </p>
    </ConfirmButton>
  );
}
