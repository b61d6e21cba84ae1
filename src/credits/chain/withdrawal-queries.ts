import type { Queryable, Transaction } from '../../store/database.js';
import { postCredits, type PostingResult } from '../ledger.js';

export type WithdrawalStatus = 'pending' | 'processing' | 'submitted' | 'confirmed' | 'failed';

export interface WithdrawalRow {
  withdrawal_id: string;
  agent_id: string;
  to_address: string;
  ucents: number;
  status: WithdrawalStatus;
  nonce: number | null;
  /** Of the newest transaction; of the mined one in the end. */
  tx_hash: string | null;
  confirmations: number;
  refusals: number;
  error_message: string | null;
  created_at: Date;
}

/** A signed transaction; fees in wei, as text. */
export interface SignedRow {
  tx_hash: string;
  withdrawal_id: string;
  nonce: number;
  raw: string;
  max_fee: string;
  priority_fee: string;
  /** ms since it was signed. */
  age_ms: number;
}

const columns = (sql: Queryable) =>
  sql`withdrawal_id, agent_id, to_address, ucents, status, nonce, tx_hash, confirmations, refusals, error_message, created_at`;

// ---- by its agent

/** Locks the agent's row, so that its withdrawals and wallet changes come one after the other. */
export async function lockAgent(tx: Transaction, agentId: string): Promise<{ wallet: string | null }> {
  const [row] = await tx<{ wallet: string | null }[]>`
    select wallet_address as wallet from agents where agent_id = ${agentId} for update`;
  if (row === undefined) throw new Error(`no agent ${agentId}`);
  return row;
}

/** What the agent has withdrawn in the last 24 hours; failed withdrawals do not count. */
export async function withdrawnToday(sql: Queryable, agentId: string): Promise<number> {
  const [row] = await sql<{ ucents: number }[]>`
    select coalesce(sum(ucents), 0)::bigint as ucents from withdrawals
    where agent_id = ${agentId} and status <> 'failed' and created_at > now() - interval '24 hours'`;
  return row?.ucents ?? 0;
}

export async function hasWithdrawalInFlight(sql: Queryable, agentId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from withdrawals where agent_id = ${agentId} and status in ('pending', 'processing', 'submitted') limit 1`;
  return rows.length > 0;
}

/** Takes the amount from the agent and queues it. */
export async function insertWithdrawal(
  tx: Transaction,
  { id, agentId, to, ucents }: { id: string; agentId: string; to: string; ucents: number },
): Promise<PostingResult> {
  const result = await postCredits(tx, {
    ...{ type: 'withdraw', once: `withdrawal:${id}`, reference: id },
    legs: [
      { account: { agent: agentId }, ucents: -ucents },
      { account: 'in_flight', ucents },
    ],
  });
  if (result !== 'posted') return result;
  await tx`
    insert into withdrawals (withdrawal_id, agent_id, to_address, ucents)
    values (${id}, ${agentId}, ${to}, ${ucents})`;
  return result;
}

export async function selectWithdrawal(
  sql: Queryable,
  agentId: string,
  id: string,
): Promise<WithdrawalRow | undefined> {
  const [row] = await sql<WithdrawalRow[]>`
    select ${columns(sql)} from withdrawals where withdrawal_id = ${id} and agent_id = ${agentId}`;
  return row;
}

/** Latest first. */
export async function selectWithdrawals(
  sql: Queryable,
  agentId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<WithdrawalRow[]> {
  return sql<WithdrawalRow[]>`
    select ${columns(sql)} from withdrawals where agent_id = ${agentId}
    order by created_at desc, withdrawal_id limit ${limit} offset ${offset}`;
}

// ---- by the signer: every write requires its epoch

/** Takes over from whichever signer was before: its writes fail from now on. */
export async function raiseSignerEpoch(sql: Queryable): Promise<number> {
  const [row] = await sql<{ epoch: number }[]>`
    update treasury set signer_epoch = signer_epoch + 1 returning signer_epoch as epoch`;
  if (row === undefined) throw new Error('the treasury has no row');
  return row.epoch;
}

/** Raises AP001 unless the epoch is the present one, and keeps it so until the transaction ends. */
async function fence(tx: Transaction, epoch: number): Promise<void> {
  await tx`
    select require(signer_epoch = ${epoch}, 'another signer took over') from (select * from treasury for share) t`;
}

export async function selectNextNonce(sql: Queryable): Promise<number | null> {
  const [row] = await sql<{ nonce: number | null }[]>`select next_nonce as nonce from treasury`;
  return row?.nonce ?? null;
}

/** Every withdrawal that is not decided: signed ones in the order of their nonces, then the queue, oldest first. */
export async function selectOpen(sql: Queryable): Promise<WithdrawalRow[]> {
  return sql<WithdrawalRow[]>`
    select ${columns(sql)} from withdrawals
    where status in ('processing', 'submitted') or (status = 'pending' and due_at <= now())
    order by nonce nulls last, created_at, withdrawal_id limit 200`;
}

/** All that was signed for a withdrawal, newest first. */
export async function selectSigned(sql: Queryable, id: string): Promise<SignedRow[]> {
  return sql<SignedRow[]>`
    select tx_hash, withdrawal_id, nonce, raw, max_fee::text, priority_fee::text,
      extract(epoch from now() - signed_at)::float8 * 1000 as age_ms
    from withdrawal_transactions where withdrawal_id = ${id} order by signed_at desc, max_fee desc`;
}

/** Stores what was signed, before anybody sees it; with it the withdrawal counts as one that may be mined. */
export async function insertSigned(tx: Transaction, epoch: number, signed: Omit<SignedRow, 'age_ms'>): Promise<void> {
  await fence(tx, epoch);
  const { tx_hash: hash, withdrawal_id: id, nonce } = signed;
  await tx`
    insert into withdrawal_transactions (tx_hash, withdrawal_id, nonce, raw, max_fee, priority_fee)
    values (${hash}, ${id}, ${nonce}, ${signed.raw}, ${signed.max_fee}, ${signed.priority_fee})`;
  const rows = await tx`
    update withdrawals set status = 'processing', nonce = ${nonce}, tx_hash = ${hash}, changed_at = now(),
      error_message = null
    where withdrawal_id = ${id} and status in ('pending', 'processing', 'submitted')
      and (nonce is null or nonce = ${nonce}) returning 1`;
  if (rows.length === 0) throw new Error(`withdrawal ${id} cannot be signed with nonce ${nonce}`);
  await tx`update treasury set next_nonce = greatest(coalesce(next_nonce, 0), ${nonce + 1})`;
}

/** A node has taken its transaction. */
export async function markSubmitted(tx: Transaction, epoch: number, id: string): Promise<void> {
  await fence(tx, epoch);
  await tx`
    update withdrawals set status = 'submitted', changed_at = now(), error_message = null
    where withdrawal_id = ${id} and status = 'processing'`;
}

export async function noteTrouble(tx: Transaction, epoch: number, id: string, message: string): Promise<void> {
  await fence(tx, epoch);
  await tx`
    update withdrawals set error_message = ${message}, changed_at = now()
    where withdrawal_id = ${id} and status in ('pending', 'processing', 'submitted')`;
}

export async function noteMined(
  tx: Transaction,
  epoch: number,
  id: string,
  { txHash, confirmations }: { txHash: string; confirmations: number },
): Promise<void> {
  await fence(tx, epoch);
  await tx`
    update withdrawals set tx_hash = ${txHash}, confirmations = ${confirmations}, changed_at = now()
    where withdrawal_id = ${id} and status in ('processing', 'submitted')`;
}

/** The chain would refuse it: it is tried again later. Only what was never signed. */
export async function postpone(
  tx: Transaction,
  epoch: number,
  id: string,
  { message, pauseMs }: { message: string; pauseMs: number },
): Promise<void> {
  await fence(tx, epoch);
  await tx`
    update withdrawals set refusals = refusals + 1, error_message = ${message}, changed_at = now(),
      due_at = now() + ${pauseMs} * interval '1 millisecond'
    where withdrawal_id = ${id} and status = 'pending'`;
}

/** Its nonce was used by a transaction that is not ours, for good: what was signed can never be mined. Queued anew. */
export async function queueAgain(tx: Transaction, epoch: number, id: string): Promise<void> {
  await fence(tx, epoch);
  await tx`
    update withdrawals set status = 'pending', nonce = null, tx_hash = null, confirmations = 0, changed_at = now()
    where withdrawal_id = ${id} and status in ('processing', 'submitted')`;
}

/** The money has arrived, for good. False when it was decided before. */
export async function confirm(
  tx: Transaction,
  epoch: number,
  { withdrawal_id: id, ucents }: WithdrawalRow,
  { txHash, confirmations }: { txHash: string; confirmations: number },
): Promise<boolean> {
  await fence(tx, epoch);
  const rows = await tx`
    update withdrawals set status = 'confirmed', tx_hash = ${txHash}, confirmations = ${confirmations},
      error_message = null, changed_at = now()
    where withdrawal_id = ${id} and status in ('processing', 'submitted') returning 1`;
  if (rows.length === 0) return false;
  await settled(tx, {
    ...{ type: 'withdraw', once: `withdrawn:${id}`, reference: id },
    legs: [
      { account: 'in_flight', ucents: -ucents },
      { account: 'withdrawn', ucents },
    ],
  });
  return true;
}

/** It will never be paid: the credits go back, once. False when it was decided before. */
export async function fail(
  tx: Transaction,
  epoch: number,
  { withdrawal_id: id, agent_id: agent, ucents }: WithdrawalRow,
  message: string,
): Promise<boolean> {
  await fence(tx, epoch);
  const rows = await tx`
    update withdrawals set status = 'failed', error_message = ${message}, changed_at = now()
    where withdrawal_id = ${id} and status in ('pending', 'processing', 'submitted') returning 1`;
  if (rows.length === 0) return false;
  await settled(tx, {
    ...{ type: 'withdraw_refund', once: `refund:${id}`, reference: id },
    legs: [
      { account: 'in_flight', ucents: -ucents },
      { account: { agent }, ucents },
    ],
  });
  return true;
}

async function settled(tx: Transaction, posting: Parameters<typeof postCredits>[1]): Promise<void> {
  const result = await postCredits(tx, posting);
  if (result !== 'posted') throw new Error(`${posting.once}: the ledger answered ${result}`);
}
