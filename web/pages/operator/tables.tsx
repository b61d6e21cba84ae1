import { tableName } from '../../../src/protocol/table-name.js';
import type { Answer } from '../../lib/api.js';
import { count, counted } from '../../lib/format.js';
import { act, useOperator } from '../../lib/operator.js';
import { pathTo } from '../../lib/paths.js';
import { changed } from '../../lib/use-api.js';
import { useQuery } from '../../lib/use-query.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { List, type Column } from '../../ui/list.js';
import { Section } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Shown } from '../../ui/states.js';
import { Id, When } from '../../ui/values.js';

type Row = Answer<'GET /api/admin/tables'>['tables'][number];

const PAGE = 50;
const EVERY_MS = 5000;

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'table',
    head: 'Table',
    cell: ({ table_id: id, competition_name: competition }) =>
      competition === null ? (
        <a href={pathTo('table', { table_id: id })}>{tableName(id)}</a>
      ) : (
        <Id id={id} name={tableName(id)} />
      ),
  },
  {
    key: 'pool',
    head: 'Plays',
    cell: ({ season_number: season, competition_name: name }) => name ?? `season ${season}`,
  },
  { key: 'shard', head: 'Shard', cell: ({ shard }) => count(shard), right: true, low: true },
  { key: 'players', head: 'Players', cell: ({ players }) => count(players), right: true },
  { key: 'hands', head: 'Hands', cell: ({ hands }) => count(hands), right: true },
  { key: 'since', head: 'Open since', cell: ({ opened_at: at }) => <When at={at} />, low: true },
  { key: 'do', head: <span class="hidden">Actions</span>, cell: (row) => <Close of={row} /> },
];

/** The open tables; one that misbehaves is closed by itself. */
export function Tables() {
  const [query, change] = useQuery();
  const from = Number(query['from'] ?? 0) || 0;
  const found = useOperator('GET /api/admin/tables', { query: { limit: PAGE, offset: from } }, { every: EVERY_MS });
  return (
    <Section title="Tables">
      <Shown of={found} rows={6}>
        {({ tables, matching }) =>
          tables.length === 0 ? (
            <Empty>
              <p>No table is open.</p>
            </Empty>
          ) : (
            <>
              <List label="Tables" columns={COLUMNS} rows={tables} keyOf={(row) => row.table_id} />
              <Pager
                from={from}
                size={PAGE}
                shown={tables.length}
                total={matching}
                onFrom={(next) => change({ from: String(next) })}
              />
            </>
          )
        }
      </Shown>
    </Section>
  );
}

function Close({ of: { table_id, players, hands, closing } }: { of: Row }) {
  if (closing) return <span class="badge">closing</span>;
  return (
    <ConfirmButton
      label="Close"
      title={`Close ${tableName(table_id)}`}
      verb="Close it"
      danger
      act={() => act('POST /api/admin/tables/{table_id}/close', { params: { table_id } })}
      done={() => changed('/api/admin/tables', '/api/admin/log')}
    >
      <p>
        After {counted(hands, 'hand')}: the hand in play is played out, {counted(players, 'player')} get their stacks
        back and may join again at once.
      </p>
    </ConfirmButton>
  );
}
