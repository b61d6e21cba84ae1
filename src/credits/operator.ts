import { assert } from '../ops/assert.js';
import type { Queryable, Transaction } from '../store/database.js';
import type { DepositStatus } from './chain/deposit-queries.js';
import { giveBackWithdrawal, held, waits, type WithdrawalStatus } from './chain/withdrawal-queries.js';
import { emailWalletCleared, endWalletChanges } from './wallets/change.js';

/**
 * The operators' view of payments and their actions on them (`npx agent-poker admin`). Each action is a guarded
 * statement in its transaction.
 */

export interface WithdrawalLine {
  withdrawal_id: string;
  agent_id: string;
  agent_name: string;
  to_address: string;
  ucents: number;
  status: WithdrawalStatus;
  /** Its agent is banned or has a lost deposit, and nobody has released it. */
  held: boolean;
  /** Its wallet had changed: it is not paid before, unless it is released. */
  waits_until: Date | null;
  treasury: string | null;
  nonce: number | null;
  tx_hash: string | null;
  error_message: string | null;
  created_at: Date;
  /** All that match, on all pages. */
  matching: number;
}

export interface PaymentFilter {
  /** Only what is not decided yet. */
  open: boolean;
  limit: number;
  offset: number;
}

/** The newest first. */
export async function selectWithdrawalLines(
  sql: Queryable,
  { open, limit, offset, heldOnly }: PaymentFilter & { heldOnly: boolean },
): Promise<WithdrawalLine[]> {
  return sql<WithdrawalLine[]>`
    select *, count(*) over () as matching from (
      select withdrawal_id, agent_id, name as agent_name, to_address, ucents, status,
        status = 'pending' and ${held(sql)} as held, case when released_at is null then waits_until end as waits_until,
        treasury, nonce, tx_hash, error_message, w.created_at
      from withdrawals w join agents using (agent_id)
      where not ${open}::boolean or status in ('pending', 'processing', 'submitted')) listed
    where not ${heldOnly}::boolean or held
    order by created_at desc, withdrawal_id limit ${limit} offset ${offset}`;
}

/** It is tried again at once: signed if it is queued, sent again if it is signed. False where it is decided. */
export async function retryStoredWithdrawal(tx: Transaction, id: string): Promise<boolean> {
  const { count } = await tx`
    update withdrawals set due_at = now(), refusals = 0, changed_at = now(),
      status = case status when 'submitted' then 'processing' else status end
    where withdrawal_id = ${id} and status in ('pending', 'processing', 'submitted')`;
  assert(count <= 1, 'one withdrawal has the id', id);
  return count === 1;
}

/** A held one is paid, whatever it is held for. False where it is not held. */
export async function releaseStoredWithdrawal(tx: Transaction, id: string): Promise<boolean> {
  const { count } = await tx`
    update withdrawals w set released_at = now(), due_at = now(), changed_at = now()
    where withdrawal_id = ${id} and status = 'pending' and (${held(tx)} or ${waits(tx)})`;
  assert(count <= 1, 'one withdrawal has the id', id);
  return count === 1;
}

/** The credits of a held one go back to its agent's balance. False where it is not held. */
export async function returnStoredWithdrawal(tx: Transaction, id: string): Promise<boolean> {
  const [row] = await tx<{ agent_id: string; ucents: number; reversals: number }[]>`
    update withdrawals w set status = 'failed', error_message = 'returned by the operator', changed_at = now(),
      decided_at = now()
    where withdrawal_id = ${id} and status = 'pending' and (${held(tx)} or ${waits(tx)})
    returning agent_id, ucents, reversals`;
  if (row === undefined) return false;
  await giveBackWithdrawal(tx, { withdrawal_id: id, ...row });
  return true;
}

export interface DepositLine {
  deposit_id: string;
  agent_id: string;
  agent_name: string;
  tx_hash: string;
  wallet: string;
  units: number;
  status: DepositStatus;
  confirmations: number;
  /** When the chain was found to have dropped it after it was credited. */
  lost_at: Date | null;
  /** When the operator let its agent withdraw all the same. */
  loss_accepted_at: Date | null;
  created_at: Date;
  matching: number;
}

/** The newest first; open are also those that the chain has dropped. */
export async function selectDepositLines(
  sql: Queryable,
  { open, limit, offset }: PaymentFilter,
): Promise<DepositLine[]> {
  return sql<DepositLine[]>`
    select deposit_id, agent_id, name as agent_name, tx_hash, wallet, units, status, confirmations, lost_at,
      loss_accepted_at, d.created_at,
      count(*) over () as matching
    from deposits d join agents using (agent_id)
    where not ${open}::boolean or status <> 'confirmed' or lost_at is not null
    order by d.created_at desc, deposit_id limit ${limit} offset ${offset}`;
}

/** It is followed again for as long as a new one. False where it is credited, or none. */
export async function retryStoredDeposit(tx: Transaction, id: string): Promise<boolean> {
  const { count } = await tx`
    update deposits set retried_at = now() where deposit_id = ${id} and status <> 'confirmed'`;
  assert(count <= 1, 'one deposit has the id', id);
  return count === 1;
}

export { acceptLoss, reverseStoredDeposit } from './chain/deposit-queries.js';

/**
 * The agent has no wallet any more, neither to withdraw to nor to deposit from: its proofs end, so that others may
 * prove the addresses. Its owner gets a mail. The wallet and the proven addresses that it had; null where there was
 * nothing.
 */
export async function clearWallet(
  tx: Transaction,
  agentId: string,
  actor: string,
): Promise<{ wallet: string | null; proven: string[] } | null> {
  const [agent] = await tx<{ wallet: string | null; name: string; email: string }[]>`
    select wallet_address as wallet, name, email from agents where agent_id = ${agentId} for update`;
  assert(agent !== undefined, 'the agent of a wallet is stored', agentId);
  const { wallet, ...owner } = agent;
  const rows = await tx<{ address: string }[]>`
    update wallet_proofs set ended_at = now() where agent_id = ${agentId} and ended_at is null returning address`;
  if (wallet !== null) {
    await tx`update agents set wallet_address = null where agent_id = ${agentId}`;
    await endWalletChanges(tx, agentId);
    await emailWalletCleared(tx, { ...owner, agentId, from: wallet }, actor);
  }
  assert(new Set(rows.map(({ address }) => address)).size === rows.length, 'an address is proven once', agentId);
  const proven = rows.map(({ address }) => address);
  return wallet === null && proven.length === 0 ? null : { wallet, proven };
}
