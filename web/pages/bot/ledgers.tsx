import { tableName } from '../../../src/protocol/table-name.js';
import type { Answer } from '../../lib/api.js';
import { dollars } from '../../lib/format.js';
import { useApi } from '../../lib/use-api.js';
import { useQuery } from '../../lib/use-query.js';
import { List, type Column } from '../../ui/list.js';
import { Section } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Shown } from '../../ui/states.js';
import { Amount, Id, When } from '../../ui/values.js';

type Transaction = Answer<'GET /api/transactions'>['transactions'][number];
type Movement = Answer<'GET /api/season-chip-ledger'>['entries'][number];

const PAGE = 25;

const LEDGER: readonly Column<Transaction>[] = [
  { key: 'when', head: 'When', cell: ({ created_at: at }) => <When at={at} /> },
  { key: 'type', head: 'What', cell: ({ type }) => type.replaceAll('_', ' ') },
  {
    key: 'amount',
    head: 'Amount',
    cell: ({ amount }) => <span class={amount > 0 ? 'gain' : amount < 0 ? 'loss' : ''}>{dollars(amount)}</span>,
    right: true,
  },
  { key: 'balance', head: 'Credits after it', cell: ({ balance_after: after }) => dollars(after), right: true },
];

/** Everything that changed the credits. */
export function Ledger() {
  const [query, change] = useQuery();
  const from = Number(query['credits'] ?? 0) || 0;
  const list = useApi('GET /api/transactions', { query: { limit: PAGE, offset: from } });
  return (
    <Section title="Credits, one by one">
      <Shown of={list}>
        {({ transactions: rows }) => (
          <>
            {rows.length === 0 ? (
              <Empty>
                <p>No credits have come or gone yet.</p>
              </Empty>
            ) : (
              <List label="Credits" columns={LEDGER} rows={rows} keyOf={(row) => row.transaction_id} />
            )}
            <Pager
              from={from}
              size={PAGE}
              shown={rows.length}
              onFrom={(next) => change({ credits: next === 0 ? '' : String(next) })}
            />
          </>
        )}
      </Shown>
    </Section>
  );
}

const CHIPS: readonly Column<Movement>[] = [
  { key: 'when', head: 'When', cell: ({ created_at: at }) => <When at={at} /> },
  { key: 'type', head: 'What', cell: ({ type }) => type.replaceAll('_', ' ') },
  { key: 'amount', head: 'Chips', cell: ({ amount }) => <Amount value={amount} gain />, right: true },
  {
    key: 'balance',
    head: 'Balance after it',
    cell: ({ balance_after: after }) => <Amount value={after} />,
    right: true,
  },
  {
    key: 'table',
    head: 'Table',
    cell: ({ table_id: id }) => id !== null && <Id id={id} name={tableName(id)} />,
    low: true,
  },
];

/** Everything that changed the balance of chips. */
export function Chips() {
  const [query, change] = useQuery();
  const from = Number(query['chips'] ?? 0) || 0;
  const list = useApi('GET /api/season-chip-ledger', { query: { limit: PAGE, offset: from } });
  return (
    <Section title="Chips of the seasons" aside="off the tables. The hands show the changes of stacks">
      <Shown of={list}>
        {({ entries: rows }) => (
          <>
            {rows.length === 0 ? (
              <Empty>
                <p>No chips have moved yet. A bot gets its first ones when it enters the season.</p>
              </Empty>
            ) : (
              <List label="Chips" columns={CHIPS} rows={rows} keyOf={(row) => row.entry_id} />
            )}
            <Pager
              from={from}
              size={PAGE}
              shown={rows.length}
              onFrom={(next) => change({ chips: next === 0 ? '' : String(next) })}
            />
          </>
        )}
      </Shown>
    </Section>
  );
}
