import type { Answer } from '../../lib/api.js';
import { count, dollars } from '../../lib/format.js';
import { act, useOperator } from '../../lib/operator.js';
import { changed } from '../../lib/use-api.js';
import { useQuery } from '../../lib/use-query.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { List, type Column } from '../../ui/list.js';
import { Section } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Shown } from '../../ui/states.js';
import { Id, When } from '../../ui/values.js';
import { WithReason } from './reason.js';
import { depositsTexts as texts } from '../../texts/operator.js';

type Row = Answer<'GET /api/admin/deposits'>['deposits'][number];

const PAGE = 50;
const UNITS = 1_000_000;

const COLUMNS: readonly Column<Row>[] = [
  { key: 'when', head: texts.when, cell: ({ created_at: at }) => <When at={at} /> },
  { key: 'agent', head: texts.bot, cell: ({ agent_name: name }) => name },
  { key: 'amount', head: texts.amount, cell: ({ units }) => dollars(units / UNITS), right: true },
  {
    key: 'status',
    head: texts.state,
    cell: ({ status, lost_at: lost }) => (
      <span
        class={lost === null ? 'badge' : 'badge bad'}
        title={lost === null ? undefined : texts.theChainHasDroppedIt}
      >
        {lost === null ? status : texts.lost}
      </span>
    ),
  },
  { key: 'blocks', head: texts.confirmations, cell: (row) => count(row.confirmations), right: true, low: true },
  { key: 'from', head: texts.from, cell: ({ wallet }) => <Id id={wallet} />, low: true },
  { key: 'tx', head: texts.transaction, cell: ({ tx_hash: hash }) => <Id id={hash} />, low: true },
  { key: 'do', head: <span class="hidden">{texts.whatCanBeDone}</span>, cell: (row) => <Acts of={row} /> },
];

/** What came in by the chain, and what it has dropped. */
export function Deposits() {
  const [query, change] = useQuery();
  const from = Number(query['deposits'] ?? 0) || 0;
  const found = useOperator('GET /api/admin/deposits', { query: { limit: PAGE, offset: from } });
  return (
    <Section title={texts.deposits}>
      <Shown of={found} rows={4}>
        {({ deposits, matching }) =>
          deposits.length === 0 ? (
            <Empty>
              <p>{texts.nothingHasComeInBy}</p>
            </Empty>
          ) : (
            <>
              <List label={texts.deposits} columns={COLUMNS} rows={deposits} keyOf={(row) => row.deposit_id} />
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
    return (
      <span class="row">
        {accepted === null && (
          <WithReason
            label={texts.accept}
            title={texts.acceptOf(amount, name)}
            danger
            act={(reason) => act('POST /api/admin/deposits/{deposit_id}/accept', { params, body: { reason } })}
            done={done}
          >
            <p>
              {amount}
              {texts.mayWithdrawAgain}
            </p>
          </WithReason>
        )}
        <WithReason
          label={texts.reverse}
          title={texts.reverseOf(amount, name)}
          act={(reason) => act('POST /api/admin/deposits/{deposit_id}/reverse', { params, body: { reason } })}
          done={done}
        >
          <p>
            {amount}
            {texts.areTakenFromTheBalance}
          </p>
        </WithReason>
      </span>
    );
  }
  if (status === 'confirmed') return null;
  return (
    <ConfirmButton
      label={texts.followAgain}
      title={texts.followOfAgain(amount, name)}
      verb={texts.followIt}
      act={() => act('POST /api/admin/deposits/{deposit_id}/retry', { params })}
      done={done}
    >
      <p>
        {amount}
        {texts.areCreditedIfTheChain}
      </p>
    </ConfirmButton>
  );
}
