import { useState } from 'preact/hooks';
import { ApiError, call, type Answer } from '../../lib/api.js';
import { moment } from '../../lib/clock.js';
import { dollars } from '../../lib/format.js';
import { changed, useApi } from '../../lib/use-api.js';
import { proveWallet, wallet } from '../../lib/wallet.js';
import { Confirm } from '../../ui/dialog.js';
import { Field, Form, useSending } from '../../ui/form.js';
import { List, type Column } from '../../ui/list.js';
import { Figures, Section } from '../../ui/page.js';
import { Empty, Shown } from '../../ui/states.js';
import { Code, Id, When } from '../../ui/values.js';
import { Chips, Ledger } from './ledgers.js';
import { OwnerPage, type Agent } from './owner.js';
import { Prizes } from './prizes.js';

type Withdrawal = Answer<'GET /api/withdrawals'>['withdrawals'][number];

const PAGE = 25;
const reload = () => changed('/api/balance', '/api/transactions', '/api/withdrawals', '/api/me');

/** Credits are dollars; chips of the season are counted apart. */
export default function Credits() {
  return (
    <OwnerPage title="Credits">
      {(agent) => (
        <>
          <Balance />
          <Prizes />
          <Wallet agent={agent} />
          <Deposit />
          <Withdraw agent={agent} />
          <Ledger />
          <Chips />
        </>
      )}
    </OwnerPage>
  );
}

function Balance() {
  const balance = useApi('GET /api/balance', {}, { every: 15_000 });
  return (
    <Shown of={balance} rows={1}>
      {(of) => <Figures of={[['Credits', dollars(of.balance)]]} />}
    </Shown>
  );
}

function Wallet({ agent }: { agent: Agent }) {
  const [address, setAddress] = useState(agent.wallet_address ?? '');
  const [said, setSaid] = useState('');
  const sending = useSending(['wallet_address']);
  const provider = wallet();
  const save = () =>
    sending.send(async () => {
      await call('PATCH /api/me', { body: { wallet_address: address === '' ? null : address } });
      setSaid('Saved.');
      reload();
    });
  const prove = () =>
    sending.send(async () => {
      try {
        setSaid(`${await proveWallet(provider!)} is proven to be yours.`);
        reload();
      } catch (error) {
        if (error instanceof ApiError) throw error;
        throw new ApiError(400, error instanceof Error ? error.message : 'The wallet did not sign.');
      }
    });
  return (
    <Section title="Wallet">
      <p>
        Withdrawals go to the address named here. Deposits count only from a wallet that has signed that it is yours.
      </p>
      {agent.withdrawals_wait_until !== null && (
        <p class="notice part" role="status">
          The address has changed. Withdrawals are paid from <When at={agent.withdrawals_wait_until} /> on. Until then
          the link in the mail about it takes the change back.
        </p>
      )}
      <Form sending={sending} verb="Save the address" onSend={() => void save()}>
        <Field
          label="Address for withdrawals"
          value={address}
          onValue={setAddress}
          error={sending.fields['wallet_address']}
          pattern="0x[0-9a-fA-F]{40}"
          maxLength={42}
          spellcheck={false}
          autocomplete="off"
          hint="0x and 40 hexadecimal digits"
        />
      </Form>
      <p class="part row">
        <button type="button" class="quiet" disabled={provider === null || sending.busy} onClick={() => void prove()}>
          Prove a wallet
        </button>
        <span class="soft" role="status">
          {said !== ''
            ? said
            : provider === null
              ? 'No wallet is in this browser.'
              : 'Your wallet asks you to sign a text. It costs nothing.'}
        </span>
      </p>
    </Section>
  );
}

function Deposit() {
  const [hash, setHash] = useState('');
  const [claimed, setClaimed] = useState<Answer<'POST /api/deposit/onchain'> | null>(null);
  const sending = useSending(['tx_hash']);
  const claim = () =>
    sending.send(async () => {
      setClaimed(await call('POST /api/deposit/onchain', { body: { tx_hash: hash } }));
      reload();
    });
  return (
    <Section title="Deposit">
      <p>Send the stablecoin from your proven wallet to the treasury, then name the transaction.</p>
      <Form sending={sending} verb="Claim the deposit" onSend={() => void claim()}>
        <Field
          label="Transaction hash"
          required
          value={hash}
          onValue={setHash}
          error={sending.fields['tx_hash']}
          spellcheck={false}
          autocomplete="off"
          hint="0x and 64 hexadecimal digits"
        />
      </Form>
      {claimed !== null && (
        <p class="notice part" role="status">
          {dollars(claimed.amount)} {claimed.status}: {claimed.confirmations_seen} of {claimed.confirmations_required}{' '}
          confirmations. The server follows it.
        </p>
      )}
      <ForDevelopment />
    </Section>
  );
}

/** Where the server runs for development, credits come for nothing. */
function ForDevelopment() {
  const [refused, setRefused] = useState('');
  const give = async () => {
    try {
      await call('POST /api/deposit/dev', { body: { amount: 10 } });
      reload();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setRefused(error.message);
    }
  };
  return (
    <p class="part row">
      <button type="button" class="quiet" onClick={() => void give()}>
        Add $10 for development
      </button>
      <span class="soft" role="status">
        {refused === '' ? 'Credits without real funds, only on servers for development.' : refused}
      </span>
    </p>
  );
}

const WITHDRAWALS: readonly Column<Withdrawal>[] = [
  { key: 'when', head: 'When', cell: ({ created_at: at }) => <When at={at} /> },
  { key: 'amount', head: 'Amount', cell: ({ amount }) => dollars(amount), right: true },
  {
    key: 'status',
    head: 'State',
    cell: ({ status, error_message: why, waits_until: until }) =>
      status === 'pending' && until !== null && Date.parse(until) > moment.value ? (
        <span class="badge accent" title="The address for withdrawals had changed before it was asked for.">
          waits until <When at={until} />
        </span>
      ) : (
        <span title={why ?? undefined}>{status}</span>
      ),
  },
  { key: 'to', head: 'To', cell: ({ to_address: to }) => <Id id={to} />, low: true },
  { key: 'tx', head: 'Transaction', cell: ({ tx_hash: hash }) => hash !== null && <Id id={hash} />, low: true },
];

function Withdraw({ agent }: { agent: Agent }) {
  const [amount, setAmount] = useState('');
  const [asking, setAsking] = useState(false);
  // One key for each try of one withdrawal: a repetition pays once.
  const [key, setKey] = useState('');
  const sending = useSending(['amount']);
  const list = useApi('GET /api/withdrawals', { query: { limit: PAGE } }, { every: 15_000 });
  const pay = () =>
    call('POST /api/withdraw', { body: { amount: Number(amount) }, headers: { 'idempotency-key': key } });
  return (
    <Section title="Withdraw">
      {agent.wallet_address === null ? (
        <Empty>
          <p>Name an address above first.</p>
        </Empty>
      ) : (
        <Form
          sending={sending}
          verb="Withdraw"
          onSend={() => {
            setKey(crypto.randomUUID());
            setAsking(true);
          }}
        >
          <Field
            label="Dollars"
            type="number"
            min="1"
            step="0.01"
            required
            value={amount}
            onValue={setAmount}
            hint={<>To {agent.wallet_address}</>}
          />
        </Form>
      )}
      {asking && (
        <Confirm
          title={`Withdraw ${dollars(Number(amount))}`}
          verb="Withdraw"
          act={pay}
          onClose={(done) => {
            setAsking(false);
            if (!done) return;
            setAmount('');
            reload();
          }}
        >
          <p>{dollars(Number(amount))} leave your credits at once and are paid to</p>
          <Code text={agent.wallet_address ?? ''} label="Address" />
          <p>A sent payment cannot be called back. If it fails, the credits come back once.</p>
        </Confirm>
      )}
      {(list.data?.withdrawals.length ?? 0) > 0 && (
        <div class="part">
          <List
            label="Withdrawals"
            columns={WITHDRAWALS}
            rows={list.data!.withdrawals}
            keyOf={(row) => row.withdrawal_id}
          />
        </div>
      )}
    </Section>
  );
}
