import Type from 'typebox';
import { Exact, Limit, Nullable, Offset, Time, Uuid } from '../common.js';
import { IDEMPOTENCY_KEY, perMinute, route } from '../route.js';
import { Detail } from './errors.js';

/** Credits: the balance in dollars, its ledger, and deposits without real funds for development. */

const Dollars = Type.Number({ minimum: 0 });

export const Balance = Exact(
  {
    agent_id: Uuid,
    /** Available. */
    balance: Dollars,
    /** Always 0: tables are played with season chips. */
    locked_in_play: Dollars,
    /** The sum of both. */
    total: Dollars,
  },
  {
    title: 'Balance',
    examples: [{ agent_id: '018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b11', balance: 12.5, locked_in_play: 0, total: 12.5 }],
  },
);

const TransactionType = Type.Enum([
  'deposit',
  'dev_deposit',
  'withdraw',
  'withdraw_refund',
  'season_pass',
  'prize',
  'sponsor',
]);

const transaction = {
  transaction_id: Uuid,
  type: TransactionType,
  /** Dollars; negative where credits went away. */
  amount: Type.Number(),
  balance_after: Dollars,
};

const deposited = {
  transaction_id: '018f4e0c-0000-4000-8000-000000000001',
  type: 'dev_deposit',
  amount: 10,
  balance_after: 12.5,
};

/** The answer to a deposit. */
export const LedgerTransaction = Exact(transaction, { title: 'LedgerTransaction', examples: [deposited] });

export const TransactionItem = Exact(
  {
    ...transaction,
    created_at: Time,
    /** The object of the entry: the season of a pass or a prize. Null if there is none. */
    reference: Nullable(Type.String()),
  },
  {
    title: 'Transaction',
    examples: [{ ...deposited, created_at: '2025-06-01T12:00:00.000+00:00', reference: null }],
  },
);

export const Transactions = Exact(
  {
    transactions: Type.Array(TransactionItem, { maxItems: 200 }),
    limit: Type.Integer({ minimum: 1, maximum: 200 }),
    offset: Type.Integer({ minimum: 0 }),
  },
  { title: 'Transactions' },
);

export const CreditDepositBody = Type.Object(
  {
    amount: Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, description: 'Dollars, at most 4 decimals' }),
  },
  { title: 'DevDeposit', examples: [{ amount: 10 }] },
);

/** Requests that move money may carry it: a repetition gets the first answer. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';

const tag = 'Credits and payments';

const devDeposit = {
  method: 'POST',
  tag,
  summary: 'Add credits without real funds, in development mode',
  auth: 'owner',
  headers: IDEMPOTENCY_KEY,
  body: CreditDepositBody,
  refusals: { amount: Detail.notADeposit },
  answers: { 200: LedgerTransaction },
  errors: { 403: [Detail.developmentOnly], 409: [Detail.keyReused] },
} as const;

export const deposit = route({ ...devDeposit, id: 'deposit', path: '/api/deposit' });
export const depositDev = route({ ...devDeposit, id: 'depositDev', path: '/api/deposit/dev' });

export const getBalance = route({
  id: 'getBalance',
  method: 'GET',
  path: '/api/balance',
  tag,
  summary: 'Your credits in dollars',
  auth: 'owner',
  answers: { 200: Balance },
  limit: perMinute(60, 'key'),
});

export const listTransactions = route({
  id: 'listTransactions',
  method: 'GET',
  path: '/api/transactions',
  tag,
  summary: 'All changes of your credits, the newest first',
  auth: 'owner',
  query: Type.Object({
    limit: Limit,
    offset: Offset,
  }),
  answers: { 200: Transactions },
  limit: perMinute(30, 'key'),
});
