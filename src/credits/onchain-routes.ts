import { assert, assertWhole } from '../ops/assert.js';
import { utc, utcOrNull } from '../protocol/common.js';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import {
  claimDeposit,
  depositOnchain,
  getAccounting,
  getRevenue,
  getWithdrawal,
  listWithdrawals,
  withdraw,
} from '../protocol/rest/onchain.js';
import { defineRoute, type Route } from '../protocol/route.js';
import type { Database } from '../store/database.js';
import { idempotent } from '../store/idempotency.js';
import { accounting, countHands } from './accounting.js';
import type { DepositClaim } from './chain/deposits.js';
import type { Onchain } from './chain/index.js';
import { selectWithdrawal, selectWithdrawals, type WithdrawalRow } from './chain/withdrawal-queries.js';
import { requestWithdrawal, type WithdrawalLimits } from './chain/withdrawals.js';
import { dollarsOf, UCENTS_PER_CENT } from './money.js';
import { selectPosted } from './queries.js';
import { IDEMPOTENCY_HEADER } from '../protocol/rest/credits.js';

export interface OnchainRoutesOptions {
  sql: Database;
  /** Null without chain settings. */
  onchain: Onchain | null;
  limits: WithdrawalLimits;
}

/** Deposits, withdrawals, and the platform's books. */
export function onchainRoutes(options: OnchainRoutesOptions): Route[] {
  return [...depositRoutes(options), ...withdrawalRoutes(options), ...bookRoutes(options)];
}

function depositRoutes({ onchain }: OnchainRoutesOptions): Route[] {
  return [
    defineRoute(depositOnchain)(async ({ agent, body }) => {
      const { deposits, confirmations } = configured(onchain);
      const row = await deposits.claim(agent.agentId, body.tx_hash);
      const { deposit_id, tx_hash, status } = row;
      return { status: 200, body: { deposit_id, tx_hash, status, ...amountsOf(row, confirmations) } };
    }),

    defineRoute(claimDeposit)(async ({ agent, body }) => {
      const { deposits, confirmations } = configured(onchain);
      const row = await deposits.claim(agent.agentId, body.tx_hash);
      const { deposit_id: transfer_id, tx_hash, log_index, status } = row;
      return { status: 200, body: { transfer_id, tx_hash, log_index, status, ...amountsOf(row, confirmations) } };
    }),
  ];
}

function withdrawalRoutes({ sql, onchain, limits }: OnchainRoutesOptions): Route[] {
  return [
    defineRoute(withdraw)(async ({ agent: { agentId }, body, headers }) => {
      const { poller, chain: own } = configured(onchain);
      const request = { agentId, operation: withdraw.id, key: headers[IDEMPOTENCY_HEADER], body };
      const answer = await idempotent(sql, request, async (tx) => {
        const { withdrawalId, waitsUntil } = await requestWithdrawal(tx, { agentId, amount: body.amount, limits, own });
        const posted = await selectPosted(tx, agentId, `withdrawal:${withdrawalId}`);
        assert(posted !== undefined, 'a withdrawal is posted', withdrawalId);
        assert(posted.amount < 0, 'a withdrawal takes credits', posted.amount);
        assertWhole(posted.balance_after, 'the balance after a withdrawal');
        return {
          status: 200,
          body: {
            transaction_id: posted.transaction_id,
            type: 'withdraw' as const,
            amount: dollarsOf(posted.amount),
            balance_after: dollarsOf(posted.balance_after),
            withdrawal_id: withdrawalId,
            withdrawal_status: 'pending' as const,
            waits_until: utcOrNull(waitsUntil),
          },
        };
      });
      poller.hurry();
      return { status: 200, body: answer.body };
    }),

    defineRoute(getWithdrawal)(async ({ agent: { agentId }, params }) => {
      const row = await selectWithdrawal(sql, agentId, params.withdrawal_id);
      if (row === undefined) throw new HttpError(404, Detail.withdrawalNotFound);
      const { agent_id, confirmations: confirmations_seen } = row;
      return { status: 200, body: { ...withdrawalBody(row), agent_id, confirmations_seen } };
    }),

    defineRoute(listWithdrawals)(async ({ agent: { agentId }, query }) => {
      const withdrawals = (await selectWithdrawals(sql, agentId, query)).map(withdrawalBody);
      return { status: 200, body: { withdrawals, limit: query.limit, offset: query.offset } };
    }),
  ];
}

function bookRoutes({ sql }: OnchainRoutesOptions): Route[] {
  return [
    defineRoute(getAccounting)(async () => {
      const { deposited, balance, inPlay, rake, withdrawn, drift } = await accounting(sql);
      return {
        status: 200,
        body: {
          total_deposited_ucents: deposited,
          total_balance_ucents: balance,
          total_in_play_ucents: inPlay,
          total_rake_ucents: rake,
          total_withdrawn_ucents: withdrawn,
          invariant_holds: drift === 0,
          drift_ucents: drift,
        },
      };
    }),

    defineRoute(getRevenue)(async () => ({
      status: 200,
      body: {
        total_rake_cents: 0,
        today_rake_cents: 0,
        total_rake_ucents: 0,
        today_rake_ucents: 0,
        hand_count: await countHands(sql),
      },
    })),
  ];
}

/** Throws HttpError 503 without chain settings. */
export function configured(onchain: Onchain | null): Onchain {
  if (onchain === null) throw new HttpError(503, Detail.chainNotConfigured);
  return onchain;
}

function amountsOf({ ucents, confirmations }: DepositClaim, required: number) {
  assert(required > 0, 'a deposit waits for confirmations', required);
  return {
    ...money(ucents),
    confirmations_seen: Math.min(confirmations, required),
    confirmations_required: required,
  };
}

const money = (ucents: number) => ({
  amount: dollarsOf(ucents),
  amount_cents: Math.floor(ucents / UCENTS_PER_CENT),
  amount_ucents: ucents,
});

const withdrawalBody = (row: WithdrawalRow) => ({
  withdrawal_id: row.withdrawal_id,
  to_address: row.to_address,
  ...money(row.ucents),
  status: row.status,
  tx_hash: row.tx_hash,
  error_message: row.error_message,
  waits_until: utcOrNull(row.waits_until),
  created_at: utc(row.created_at),
});
