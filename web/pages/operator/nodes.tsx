import type { Answer } from '../../lib/api.js';
import { count } from '../../lib/format.js';
import { act, useOperator } from '../../lib/operator.js';
import { changed } from '../../lib/use-api.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { List, type Column } from '../../ui/list.js';
import { Section } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { Id, When } from '../../ui/values.js';
import { nodesTexts as texts } from '../../texts/operator.js';

type Node = Answer<'GET /api/admin/nodes'>['nodes'][number];

const EVERY_MS = 5000;

const COLUMNS: readonly Column<Node>[] = [
  {
    key: 'name',
    head: texts.node,
    cell: ({ name, leads, silent, drains }) => (
      <>
        {name} {leads && <span class="badge accent">{texts.leads}</span>}{' '}
        {silent && (
          <span class="badge bad" title={texts.leaseHasRunOut}>
            {texts.silent}
          </span>
        )}{' '}
        {drains && <span class="badge">{texts.leaves}</span>}
      </>
    ),
  },
  { key: 'id', head: texts.id, cell: ({ node_id: id }) => <Id id={id} />, low: true },
  { key: 'since', head: texts.runsSince, cell: ({ started_at: at }) => <When at={at} /> },
  { key: 'shards', head: texts.shards, title: texts.shardsItHas, cell: ({ shards }) => count(shards), right: true },
  { key: 'tables', head: texts.openTables, cell: ({ tables }) => count(tables), right: true },
  {
    key: 'do',
    head: <span class="hidden">{texts.whatCanBeDone}</span>,
    cell: (row) => !row.drains && <Drain of={row} />,
  },
];

/** The processes that work on the database; one is taken out by itself, from any of them. */
export function Nodes() {
  const found = useOperator('GET /api/admin/nodes', {}, { every: EVERY_MS });
  return (
    <Section title={texts.nodes}>
      <Shown of={found}>
        {({ nodes }) => <List label={texts.nodes} columns={COLUMNS} rows={nodes} keyOf={({ node_id: id }) => id} />}
      </Shown>
    </Section>
  );
}

function Drain({ of: { node_id, name, leads } }: { of: Node }) {
  return (
    <ConfirmButton
      label={texts.takeOut}
      title={texts.takeOutNode(name)}
      verb={texts.takeItOut}
      danger
      act={() => act('POST /api/admin/nodes/{node_id}/drain', { params: { node_id } })}
      done={() => changed('/api/admin/nodes', '/api/admin/log')}
    >
      <p>{leads ? texts.theLeaderWill : texts.aNodeWill}</p>
    </ConfirmButton>
  );
}
