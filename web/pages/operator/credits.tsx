import type { Answer } from '../../lib/api.js';
import { moment } from '../../lib/clock.js';
import { count, dollars } from '../../lib/format.js';
import { act, useOperator } from '../../lib/operator.js';
import { changed } from '../../lib/use-api.js';
import { useQuery } from '../../lib/use-query.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { List, type Column } from '../../ui/list.js';
import { Menu } from '../../ui/menu.js';
import { Figures, Section } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Shown } from '../../ui/states.js';
import { Id, When } from '../../ui/values.js';
import { Deposits } from './deposits.js';
import { Prizes } from './prizes.js';

type Row = Answer<'GET /api/admin/withdrawals'>['withdrawals'][number];
type Credits = Answer<'GET /api/admin/overview'>['credits'];

const PAGE = 50;
const EVERY_MS = 15_000;
const UCENTS = 10_000;
const UNITS = 1_000_000;

export function Credits() {
  const room = useOperator('GET /api/admin/overview', {}, { every: EVERY_MS });
  return (
    <>
      <Section title="Books">
        <Shown of={room}>{({ credits }) => <Books of={credits} />}</Shown>
      </Section>
      <Prizes />
      <Withdrawals />
      <Deposits />
    </>
  );
}

function Books({ of: { books, paying, withdrawals_waiting: waiting } }: { of: Credits }) {
  if (books === null) {
    return (
      <Empty>
        <p>The books have not been looked at yet. They are within a minute.</p>
      </Empty>
    );
  }
  const surplus = books.treasury_surplus_units;
  return (
    <>
      <Figures
        of={[
          ['Came in', dollars(books.deposited_ucents / UCENTS)],
          ['Agents hold', dollars(books.agents_ucents / UCENTS)],
          ['Agents and platform hold', dollars(books.balance_ucents / UCENTS)],
          ['Paid out', dollars(books.withdrawn_ucents / UCENTS), `of it on its way: ${books.in_flight_ucents} ucents`],
          ['Treasury beyond that', surplus === null ? 'no chain' : dollars(surplus / UNITS)],
          ['Withdrawals that wait', count(waiting)],
        ]}
      />
      <p class={books.drift_ucents === 0 && (surplus ?? 0) >= 0 ? 'soft part' : 'notice part'} role="status">
        {books.drift_ucents === 0
          ? 'The ledger agrees with itself.'
          : `The ledger is off by ${dollars(books.drift_ucents / UCENTS)}.`}{' '}
        {surplus !== null && surplus < 0 && 'The treasury could not pay everybody.'}{' '}
        {paying ? 'Withdrawals are paid.' : 'No withdrawal is paid: the chain is not followed.'}
      </p>
    </>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  { key: 'when', head: 'When', cell: ({ created_at: at }) => <When at={at} /> },
  { key: 'agent', head: 'Bot', cell: ({ agent_name: name }) => name },
  { key: 'amount', head: 'Amount', cell: (row) => dollars(row.amount_ucents / UCENTS), right: true },
  {
    key: 'status',
    head: 'State',
    cell: (row) => (
      <span class={row.held ? 'badge bad' : 'badge'} title={row.error_message ?? undefined}>
        {row.held ? 'held' : waits(row) ? 'wallet changed' : row.status}
      </span>
    ),
  },
  { key: 'to', head: 'To', cell: ({ to_address: to }) => <Id id={to} />, low: true },
  { key: 'tx', head: 'Transaction', cell: ({ tx_hash: hash }) => hash !== null && <Id id={hash} />, low: true },
  { key: 'do', head: <span class="hidden">Actions</span>, cell: (row) => <Acts of={row} /> },
];

/** Whether it waits since the wallet of its agent has changed. */
const waits = ({ status, waits_until: until }: Row) =>
  status === 'pending' && until !== null && Date.parse(until) > moment.value;

function Withdrawals() {
  const [query, change] = useQuery();
  const from = Number(query['from'] ?? 0) || 0;
  const open = query['open'] === 'yes';
  const found = useOperator('GET /api/admin/withdrawals', { query: { open, limit: PAGE, offset: from } });
  return (
    <Section title="Withdrawals">
      <div class="row filters">
        <button
          type="button"
          class="switch"
          aria-pressed={open}
          onClick={() => change({ open: open ? '' : 'yes', from: '' })}
        >
          Open only
        </button>
      </div>
      <Shown of={found} rows={6}>
        {({ withdrawals, matching }) =>
          withdrawals.length === 0 ? (
            <Empty>
              <p>No withdrawal is like that.</p>
            </Empty>
          ) : (
            <>
              <List label="Withdrawals" columns={COLUMNS} rows={withdrawals} keyOf={(row) => row.withdrawal_id} />
              <Pager
                from={from}
                size={PAGE}
                shown={withdrawals.length}
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

function Acts({ of }: { of: Row }) {
  const { withdrawal_id, agent_name: name, amount_ucents, status, held, to_address: to } = of;
  const params = { withdrawal_id };
  const amount = dollars(amount_ucents / UCENTS);
  const done = () => changed('/api/admin/withdrawals', '/api/admin/overview', '/api/admin/log');
  if (!['pending', 'processing', 'submitted'].includes(status)) return null;
  if (!held && !waits(of)) {
    return (
      <ConfirmButton
        label="Retry"
        title={`Try ${name}'s ${amount} again`}
        verb="Try again"
        act={() => act('POST /api/admin/withdrawals/{withdrawal_id}/retry', { params })}
        done={done}
      >
        <p>It is signed or sent again in the signer’s next round. It is never paid twice.</p>
      </ConfirmButton>
    );
  }
  return (
    <Menu
      of={`${amount} of ${name}`}
      choices={[
        {
          label: 'Release',
          title: `Release ${amount} of ${name}`,
          verb: 'Release',
          danger: true,
          reasoned: true,
          children: (
            <p>
              {amount} are paid to {to}
              {held
                ? ', though the bot is banned. A sent payment cannot be called back.'
                : ', though the address has changed lately. A sent payment cannot be called back.'}
            </p>
          ),
          act: (reason) => act('POST /api/admin/withdrawals/{withdrawal_id}/release', { params, body: { reason } }),
        },
        {
          label: 'Return',
          title: `Return ${amount} to ${name}`,
          verb: 'Return',
          reasoned: true,
          children: <p>{amount} go back to its balance, and nothing is paid.</p>,
          act: (reason) => act('POST /api/admin/withdrawals/{withdrawal_id}/return', { params, body: { reason } }),
        },
      ]}
      done={done}
    />
  );
}
