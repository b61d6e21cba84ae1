import Type from 'typebox';
import { Count, Exact, Limit, Nullable, Offset, Time, Uuid } from '../common.js';
import { IDEMPOTENCY_KEY, perMinute, route } from '../route.js';
import { Detail, insufficientCredits } from './errors.js';

/** Deposits and withdrawals of a stablecoin, and the platform's books. Dollars are numbers; 1 cent is 100 ucents. */

export const TxHash = Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' });
const Dollars = Type.Number();
const Cents = Type.Integer();

const example = { tx_hash: `0x${'5c'.repeat(32)}` };

export const OnchainDepositBody = Type.Object(
  { tx_hash: TxHash },
  { title: 'OnchainDepositBody', examples: [example] },
);

const DepositStatus = Type.Enum(['pending', 'confirmed', 'orphaned']);

const amounts = {
  amount: Dollars,
  amount_cents: Cents,
  amount_ucents: Cents,
  confirmations_seen: Count,
  confirmations_required: Count,
};

export const OnchainDeposit = Exact(
  { deposit_id: Uuid, tx_hash: TxHash, status: DepositStatus, ...amounts },
  { title: 'OnchainDeposit' },
);

export const OnchainClaim = Exact(
  { transfer_id: Uuid, tx_hash: TxHash, log_index: Count, status: DepositStatus, ...amounts },
  { title: 'OnchainClaim' },
);

export const WithdrawBody = Type.Object(
  { amount: Type.Number({ exclusiveMinimum: 0, description: 'Dollars, at most 4 decimals' }) },
  { title: 'WithdrawBody', examples: [{ amount: 12.5 }] },
);

const WithdrawalStatus = Type.Enum(['pending', 'processing', 'submitted', 'confirmed', 'failed']);

export const WithdrawAnswer = Exact(
  {
    transaction_id: Uuid,
    type: Type.Literal('withdraw'),
    /** Its change of the balance: negative. */
    amount: Dollars,
    balance_after: Dollars,
    withdrawal_id: Uuid,
    withdrawal_status: WithdrawalStatus,
    /** The wallet has changed: it is not paid before. Null where it does not wait. */
    waits_until: Nullable(Time),
  },
  { title: 'WithdrawAnswer' },
);

const item = {
  withdrawal_id: Uuid,
  to_address: Type.String(),
  amount: Dollars,
  amount_cents: Cents,
  amount_ucents: Cents,
  status: WithdrawalStatus,
  tx_hash: Nullable(TxHash),
  error_message: Nullable(Type.String()),
  /** The wallet had changed when it was asked for: it is not paid before. Null where it did not wait. */
  waits_until: Nullable(Time),
  created_at: Time,
};

export const Withdrawal = Exact({ ...item, agent_id: Uuid, confirmations_seen: Count }, { title: 'Withdrawal' });

export const Withdrawals = Exact(
  { withdrawals: Type.Array(Exact(item, { title: 'WithdrawalItem' })), limit: Count, offset: Count },
  { title: 'Withdrawals' },
);

export const AccountingBody = Exact(
  {
    total_deposited_ucents: Type.Integer(),
    total_balance_ucents: Type.Integer(),
    total_in_play_ucents: Type.Integer(),
    total_rake_ucents: Type.Integer(),
    total_withdrawn_ucents: Type.Integer(),
    invariant_holds: Type.Boolean(),
    drift_ucents: Type.Integer(),
  },
  { title: 'Accounting' },
);

export const Revenue = Exact(
  {
    total_rake_cents: Type.Integer(),
    today_rake_cents: Type.Integer(),
    total_rake_ucents: Type.Integer(),
    today_rake_ucents: Type.Integer(),
    hand_count: Count,
  },
  { title: 'Revenue' },
);

const tag = 'Credits and payments';
const unverifiable = [
  Detail.walletNotSet,
  Detail.transactionUnknown,
  Detail.transactionFailed,
  Detail.noTransfer,
  Detail.alreadyCredited,
  Detail.tooLarge,
];
const away = [Detail.chainNotConfigured, Detail.chainAway];

const claim = {
  method: 'POST',
  tag,
  auth: 'owner',
  body: OnchainDepositBody,
  refusals: { tx_hash: Detail.notATxHash },
  errors: { 400: unverifiable, 403: [Detail.proveFirst], 503: away },
} as const;

export const depositOnchain = route({
  ...claim,
  id: 'depositOnchain',
  path: '/api/deposit/onchain',
  summary: 'Credit a transfer of the stablecoin from a proven wallet to the treasury',
  description: 'The deposit is pending until it is confirmed. The server follows it. Each transfer is credited once.',
  answers: { 200: OnchainDeposit },
  limit: perMinute(10, 'key'),
});

export const claimDeposit = route({
  ...claim,
  id: 'claimDeposit',
  path: '/api/deposit/onchain/claim',
  summary: 'Claim a transfer that you sent by hand from a proven wallet',
  answers: { 200: OnchainClaim },
});

export const withdraw = route({
  id: 'withdraw',
  method: 'POST',
  path: '/api/withdraw',
  tag,
  summary: 'Pay credits out to your wallet',
  auth: 'owner',
  headers: IDEMPOTENCY_KEY,
  body: WithdrawBody,
  refusals: { amount: Detail.notAnAmount },
  answers: { 200: WithdrawAnswer },
  errors: {
    400: [Detail.walletNotSet, Detail.ownAddress, 'Minimum withdrawal is $1.00'],
    402: [insufficientCredits(1, 2)],
    409: [Detail.keyReused],
    503: [Detail.chainNotConfigured],
  },
  limit: perMinute(5, 'key'),
});

export const getWithdrawal = route({
  id: 'getWithdrawal',
  method: 'GET',
  path: '/api/withdrawal/{withdrawal_id}',
  tag,
  summary: 'One of your withdrawals',
  auth: 'owner',
  params: Type.Object({ withdrawal_id: Uuid }),
  answers: { 200: Withdrawal },
  errors: { 404: [Detail.withdrawalNotFound] },
});

export const listWithdrawals = route({
  id: 'listWithdrawals',
  method: 'GET',
  path: '/api/withdrawals',
  tag,
  summary: 'Your withdrawals, the newest first',
  auth: 'owner',
  query: Type.Object({
    limit: Limit,
    offset: Offset,
  }),
  answers: { 200: Withdrawals },
  limit: perMinute(30, 'key'),
});

export const getAccounting = route({
  id: 'getAccounting',
  method: 'GET',
  path: '/api/accounting',
  tag: 'Platform admin',
  summary: 'Totals of the credit ledger. While the invariant holds, drift is 0',
  auth: 'admin',
  answers: { 200: AccountingBody },
  limit: perMinute(30, 'key'),
});

export const getRevenue = route({
  id: 'getRevenue',
  method: 'GET',
  path: '/api/platform/revenue',
  tag: 'Platform admin',
  summary: 'Rake (always 0) and hands played',
  auth: 'admin',
  answers: { 200: Revenue },
  limit: perMinute(30, 'key'),
});
