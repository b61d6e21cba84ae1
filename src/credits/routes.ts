import { assert } from '../ops/assert.js';
import { randomUUID } from 'node:crypto';
import { utc } from '../protocol/common.js';
import { deposit, depositDev, getBalance, IDEMPOTENCY_HEADER, listTransactions } from '../protocol/rest/credits.js';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import { defineRoute, type Route } from '../protocol/route.js';
import type { Database, Transaction } from '../store/database.js';
import { idempotent } from '../store/idempotency.js';
import { balanceOf, postCredits } from './ledger.js';
import { dollarsOf, ucentsOf } from './money.js';
import { selectPosted, selectTransactions, type TransactionRow } from './queries.js';

export interface CreditRoutesOptions {
  sql: Database;
  /** Whether credits may be had for nothing. */
  development: boolean;
}

/** Balance, transactions, and the deposits of development. */
export function creditRoutes({ sql, development }: CreditRoutesOptions): Route[] {
  const give = async (agentId: string, body: { amount: number }, headers: Readonly<Record<string, string>>) => {
    if (!development) throw new HttpError(403, Detail.developmentOnly);
    const ucents = ucentsOf(body.amount);
    if (ucents === null) throw new HttpError(400, Detail.notADeposit);
    const request = { agentId, operation: depositDev.id, key: headers[IDEMPOTENCY_HEADER], body };
    const answer = await idempotent(sql, request, async (tx) => ({
      status: 200,
      body: transactionBody(await depositForNothing(tx, agentId, ucents)),
    }));
    return { status: 200 as const, body: answer.body };
  };
  return [
    defineRoute(deposit)(({ agent, body, headers }) => give(agent.agentId, body, headers)),
    defineRoute(depositDev)(({ agent, body, headers }) => give(agent.agentId, body, headers)),

    defineRoute(getBalance)(async ({ agent: { agentId } }) => {
      const balance = dollarsOf(await balanceOf(sql, agentId));
      return { status: 200, body: { agent_id: agentId, balance, locked_in_play: 0, total: balance } };
    }),

    defineRoute(listTransactions)(async ({ agent, query: { limit, offset } }) => {
      const rows = await selectTransactions(sql, agent.agentId, { limit, offset });
      const transactions = rows.map((row) => ({
        ...transactionBody(row),
        created_at: utc(row.created_at),
        reference: row.reference,
      }));
      return { status: 200, body: { transactions, limit, offset } };
    }),
  ];
}

async function depositForNothing(tx: Transaction, agentId: string, ucents: number): Promise<TransactionRow> {
  assert(ucents > 0, 'a deposit brings credits', ucents);
  const once = `dev_deposit:${randomUUID()}`;
  const result = await postCredits(tx, {
    type: 'dev_deposit',
    once,
    reference: null,
    legs: [
      { account: 'deposits', ucents: -ucents },
      { account: { agent: agentId }, ucents },
    ],
  });
  const posted = await selectPosted(tx, agentId, once);
  assert(posted !== undefined && result === 'posted', 'a deposit for nothing is posted', agentId);
  assert(posted.amount === ucents, 'what is posted is what was asked for', posted.amount);
  return posted;
}

const transactionBody = (row: TransactionRow) => ({
  transaction_id: row.transaction_id,
  type: row.type,
  amount: dollarsOf(row.amount),
  balance_after: dollarsOf(row.balance_after),
});
