import { assert } from '../ops/assert.js';
import type { Queryable } from '../store/database.js';
import type { Posting } from './ledger.js';

/** A transaction as one agent's account sees it. Amounts in ucents. */
export interface TransactionRow {
  transaction_id: string;
  type: Posting['type'];
  amount: number;
  balance_after: number;
  created_at: Date;
  reference: string | null;
}

const columns = (sql: Queryable) => sql`t.transaction_id, t.type, p.amount, p.balance_after, t.created_at, t.reference`;

/** The changes of an agent's credits, latest first. */
export async function selectTransactions(
  sql: Queryable,
  agentId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<TransactionRow[]> {
  return sql<TransactionRow[]>`
    select ${columns(sql)}
    from credit_accounts a join credit_postings p using (account_id) join credit_transactions t using (transaction_id)
    where a.agent_id = ${agentId} order by p.posting_id desc limit ${limit} offset ${offset}`;
}

/** The agent's part in what was posted under this name. */
export async function selectPosted(sql: Queryable, agentId: string, once: string): Promise<TransactionRow | undefined> {
  const [row] = await sql<TransactionRow[]>`
    select ${columns(sql)}
    from credit_transactions t join credit_postings p using (transaction_id) join credit_accounts a using (account_id)
    where t.once = ${once} and a.agent_id = ${agentId}`;
  return row;
}

/** Payments that wait for a decision. */
export interface OpenPayments {
  /** Credited, dropped by the chain, and not decided on. */
  lostDeposits: number;
  /** Decided, and contradicted by the chain. */
  lostWithdrawals: number;
  /** s since the oldest withdrawal was asked for that is neither paid nor given back; 0 without one. */
  oldestWithdrawal: number;
}

export async function selectOpenPayments(sql: Queryable): Promise<OpenPayments> {
  const [row] = await sql<{ deposits: number; withdrawals: number; oldest: number }[]>`
    select (select count(*) from deposits where lost_at is not null and loss_accepted_at is null) as deposits,
      (select count(*) from withdrawals where lost_at is not null) as withdrawals,
      (select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 from withdrawals
        where status in ('pending', 'processing', 'submitted')) as oldest`;
  assert(row !== undefined, 'open payments are counted');
  const { deposits: lostDeposits = 0, withdrawals: lostWithdrawals = 0, oldest: oldestWithdrawal = 0 } = row;
  return { lostDeposits, lostWithdrawals, oldestWithdrawal };
}
