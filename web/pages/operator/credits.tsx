import type { Answer } from '../../lib/api.js';
import { moment } from '../../lib/clock.js';
import { count, dollars } from '../../lib/format.js';
import { act, useOperator } from '../../lib/operator.js';
import { changed } from '../../lib/use-api.js';
import { useQuery } from '../../lib/use-query.js';
import { ConfirmButton } from '../../ui/dialog.js';
import { List, type Column } from '../../ui/list.js';
import { Figures, Section } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Shown } from '../../ui/states.js';
import { Id, When } from '../../ui/values.js';
import { Deposits } from './deposits.js';
import { Prizes } from './prizes.js';
import { WithReason } from './reason.js';
import { creditsTexts as texts } from '../../texts/operator.js';

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
      <Section title={texts.books}>
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
        <p>{texts.theBooksHaveNotBeen}</p>
      </Empty>
    );
  }
  const surplus = books.treasury_surplus_units;
  return (
    <>
      <Figures
        of={[
          [texts.cameIn, dollars(books.deposited_ucents / UCENTS)],
          [texts.agentsHold, dollars(books.agents_ucents / UCENTS)],
          [texts.agentsAndPlatformHold, dollars(books.balance_ucents / UCENTS)],
          [texts.paidOut, dollars(books.withdrawn_ucents / UCENTS), texts.ofItOnItsWay(books.in_flight_ucents)],
          [texts.treasuryBeyondThat, surplus === null ? texts.noChain : dollars(surplus / UNITS)],
          [texts.withdrawalsThatWait, count(waiting)],
        ]}
      />
      <p class={books.drift_ucents === 0 && (surplus ?? 0) >= 0 ? 'soft part' : 'notice part'} role="status">
        {books.drift_ucents === 0
          ? texts.theLedgerAgreesWithItself
          : texts.theLedgerIsOffBy(dollars(books.drift_ucents / UCENTS))}{' '}
        {surplus !== null && surplus < 0 && texts.theTreasuryCouldNotPay}{' '}
        {paying ? texts.withdrawalsArePaid : texts.noWithdrawalIsPaidThe}
      </p>
    </>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  { key: 'when', head: texts.when, cell: ({ created_at: at }) => <When at={at} /> },
  { key: 'agent', head: texts.bot, cell: ({ agent_name: name }) => name },
  { key: 'amount', head: texts.amount, cell: (row) => dollars(row.amount_ucents / UCENTS), right: true },
  {
    key: 'status',
    head: texts.state,
    cell: (row) => (
      <span class={row.held ? 'badge bad' : 'badge'} title={row.error_message ?? undefined}>
        {row.held ? texts.held : waits(row) ? texts.walletChanged : row.status}
      </span>
    ),
  },
  { key: 'to', head: texts.to, cell: ({ to_address: to }) => <Id id={to} />, low: true },
  { key: 'tx', head: texts.transaction, cell: ({ tx_hash: hash }) => hash !== null && <Id id={hash} />, low: true },
  { key: 'do', head: <span class="hidden">{texts.whatCanBeDone}</span>, cell: (row) => <Acts of={row} /> },
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
    <Section title={texts.withdrawals}>
      <div class="row filters">
        <button
          type="button"
          class="switch"
          aria-pressed={open}
          onClick={() => change({ open: open ? '' : 'yes', from: '' })}
        >
          {texts.openOnly}
        </button>
      </div>
      <Shown of={found} rows={6}>
        {({ withdrawals, matching }) =>
          withdrawals.length === 0 ? (
            <Empty>
              <p>{texts.noWithdrawalIsLikeThat}</p>
            </Empty>
          ) : (
            <>
              <List label={texts.withdrawals} columns={COLUMNS} rows={withdrawals} keyOf={(row) => row.withdrawal_id} />
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
        label={texts.retry}
        title={texts.trySAgain(name, amount)}
        verb={texts.tryAgain}
        act={() => act('POST /api/admin/withdrawals/{withdrawal_id}/retry', { params })}
        done={done}
      >
        <p>{texts.itIsSignedOrWhat}</p>
      </ConfirmButton>
    );
  }
  return (
    <span class="row">
      <WithReason
        label={texts.release}
        title={texts.releaseOf(amount, name)}
        danger
        act={(reason) => act('POST /api/admin/withdrawals/{withdrawal_id}/release', { params, body: { reason } })}
        done={done}
      >
        <p>
          {amount}
          {texts.arePaidTo}
          {to}
          {held ? texts.thoughTheBotIsBanned : texts.thoughTheWalletHasChanged}
        </p>
      </WithReason>
      <WithReason
        label={texts.returnWord}
        title={texts.returnTo(amount, name)}
        act={(reason) => act('POST /api/admin/withdrawals/{withdrawal_id}/return', { params, body: { reason } })}
        done={done}
      >
        <p>
          {amount}
          {texts.goBackToItsBalance}
        </p>
      </WithReason>
    </span>
  );
}
