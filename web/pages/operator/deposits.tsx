import type { Answer } from '../../lib/api.js';
import { count, dollars } from '../../lib/format.js';
import { act, useOperator } from '../../lib/operator.js';
import { changed } from '../../lib/use-api.js';
import { useQuery } from '../../lib/use-query.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { List, type Column } from '../../ui/list.js';
import { Menu, type Choice } from '../../ui/menu.js';
import { Section } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Shown } from '../../ui/states.js';
import { Id, When } from '../../ui/values.js';

type Row = Answer<'GET /api/admin/deposits'>['deposits'][number];

const PAGE = 50;
const UNITS = 1_000_000;

const COLUMNS: readonly Column<Row>[] = [
  { key: 'when', head: 'When', cell: ({ created_at: at }) => <When at={at} /> },
  { key: 'agent', head: 'Bot', cell: ({ agent_name: name }) => name },
  { key: 'amount', head: 'Amount', cell: ({ units }) => dollars(units / UNITS), right: true },
  {
    key: 'status',
    head: 'State',
    cell: ({ status, lost_at: lost }) => (
      <span
        class={lost === null ? 'badge' : 'badge bad'}
        title={lost === null ? undefined : 'The chain has dropped it'}
      >
        {lost === null ? status : 'lost'}
      </span>
    ),
  },
  { key: 'blocks', head: 'Confirmations', cell: (row) => count(row.confirmations), right: true, low: true },
  { key: 'from', head: 'From', cell: ({ wallet }) => <Id id={wallet} />, low: true },
  { key: 'tx', head: 'Transaction', cell: ({ tx_hash: hash }) => <Id id={hash} />, low: true },
  { key: 'do', head: <span class="hidden">Actions</span>, cell: (row) => <Acts of={row} /> },
];

/** Deposits of the chain, and those that it has dropped. */
export function Deposits() {
  const [query, change] = useQuery();
  const from = Number(query['deposits'] ?? 0) || 0;
  const found = useOperator('GET /api/admin/deposits', { query: { limit: PAGE, offset: from } });
  return (
    <Section title="Deposits">
      <Shown of={found} rows={4}>
        {({ deposits, matching }) =>
          deposits.length === 0 ? (
            <Empty>
              <p>Nothing has come in by the chain yet.</p>
            </Empty>
          ) : (
            <>
              <List label="Deposits" columns={COLUMNS} rows={deposits} keyOf={(row) => row.deposit_id} />
              <Pager
                from={from}
                size={PAGE}
                shown={deposits.length}
                total={matching}
                onFrom={(next) => change({ deposits: next === 0 ? '' : String(next) })}
              />
            </>
          )
        }
      </Shown>
    </Section>
  );
}

/** The agent of a lost deposit withdraws nothing until the operator has decided. */
function Acts({ of }: { of: Row }) {
  const { deposit_id, agent_name: name, units, status, lost_at: lost, loss_accepted_at: accepted } = of;
  const amount = dollars(units / UNITS);
  const params = { deposit_id };
  const done = () => changed('/api/admin/deposits', '/api/admin/overview', '/api/admin/log');
  if (lost !== null) {
    const reverse: Choice = {
      label: 'Reverse',
      title: `Take ${amount} back from ${name}`,
      verb: 'Reverse',
      reasoned: true,
      children: (
        <p>
          {amount} are taken from its balance. Then it may withdraw again. With less in the balance nothing changes.
        </p>
      ),
      act: (reason) => act('POST /api/admin/deposits/{deposit_id}/reverse', { params, body: { reason } }),
    };
    const accept: Choice = {
      label: 'Accept',
      title: `Accept the lost ${amount} of ${name}`,
      verb: 'Accept',
      danger: true,
      reasoned: true,
      children: <p>{amount} may be withdrawn again, though the chain has lost them. The treasury bears the loss.</p>,
      act: (reason) => act('POST /api/admin/deposits/{deposit_id}/accept', { params, body: { reason } }),
    };
    return <Menu of={`${amount} of ${name}`} choices={accepted === null ? [accept, reverse] : [reverse]} done={done} />;
  }
  if (status === 'confirmed') return null;
  return (
    <ConfirmButton
      label="Follow again"
      title={`Follow ${amount} of ${name} again`}
      verb="Follow it"
      act={() => act('POST /api/admin/deposits/{deposit_id}/retry', { params })}
      done={done}
    >
      <p>
        {amount} are credited if the chain has the transaction after all, for as long as a new deposit would be
        followed. It is never credited twice.
      </p>
    </ConfirmButton>
  );
}
