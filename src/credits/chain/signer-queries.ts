import { assert, assertWhole } from '../../ops/assert.js';
import type { Queryable, Transaction } from '../../store/database.js';
import type { Leadership } from '../../store/node/leadership.js';
import { onceMore } from '../ledger.js';
import type { ChainPlace } from './answers.js';
import {
  giveBackWithdrawal,
  held,
  settled,
  waits,
  withdrawalColumns,
  type WithdrawalRow,
} from './withdrawal-queries.js';

/** The signer's writes about withdrawals, from the queue to the end. Each requires its epoch. */

/** A signed transaction; fees in wei, as text. */
export interface SignedRow {
  tx_hash: string;
  withdrawal_id: string;
  nonce: number;
  raw: string;
  max_fee: string;
  priority_fee: string;
  treasury: string;
  /** Head of the chain when it was signed; null in those from before it was written down. */
  signed_block: number | null;
  /** ms since it was signed. */
  age_ms: number;
}

/** The agent was banned, or the withdrawal decided, while it was being signed. */
export class NotPayable extends Error {
  override name = 'NotPayable';
}

/**
 * Takes over from whichever signer was before: its writes fail from now on. Only the leader's: throws Displaced.
 */
export async function raiseSignerEpoch(sql: Queryable, leadership: Leadership): Promise<number> {
  const [row] = await leadership.guarded(sql<{ epoch: number }[]>`
    update treasury set signer_epoch = signer_epoch + 1 where ${leadership.required(sql)}
    returning signer_epoch as epoch`);
  assert(row !== undefined, 'the treasury has a row');
  assert(row.epoch > 0, 'epochs of signers rise from 1', row.epoch);
  return row.epoch;
}

/** Raises AP001 unless the epoch is the present one, and keeps it so until the transaction ends. */
export async function fence(tx: Transaction, epoch: number): Promise<void> {
  assert(epoch > 0, 'a signer that writes has an epoch', epoch);
  await tx`
    select require(signer_epoch = ${epoch}, 'another signer took over') from (select * from treasury for share) t`;
}

/** One more than the highest nonce that the treasury has signed with; 0 where it has signed nothing. */
export async function selectNextNonce(sql: Queryable, treasury: string): Promise<number> {
  const [row] = await sql<{ nonce: number }[]>`
    select coalesce(max(nonce) + 1, 0) as nonce from withdrawal_transactions where treasury = ${treasury}`;
  const nonce = row?.nonce ?? 0;
  assertWhole(nonce, 'the next nonce');
  return nonce;
}

/** All open withdrawals: signed ones by nonce, then the queue, oldest first. Held and waiting ones are left out. */
export async function selectOpen(sql: Queryable): Promise<WithdrawalRow[]> {
  const signed = await sql<WithdrawalRow[]>`
    select ${withdrawalColumns(sql)} from withdrawals where status in ('processing', 'submitted')
    order by nonce, withdrawal_id limit 200`;
  const queued = await sql<WithdrawalRow[]>`
    select ${withdrawalColumns(sql)} from withdrawals w where status = 'pending' and due_at <= now() and not (${held(sql)})
      and not ${waits(sql)}
    order by created_at, withdrawal_id limit 200`;
  assert(
    signed.every(({ nonce, treasury }) => nonce !== null && treasury !== null),
    'a withdrawal that was signed has a nonce',
  );
  return [...signed, ...queued];
}

export async function countHeld(sql: Queryable): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from withdrawals w where status = 'pending' and ${held(sql)}`;
  return row?.count ?? 0;
}

/** Those that wait since their wallet had changed. */
export async function countOfChangedWallets(sql: Queryable): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from withdrawals w where status = 'pending' and ${waits(sql)}`;
  return row?.count ?? 0;
}

/** Transactions that were signed without a stored signer. */
export async function selectUnnamed(sql: Queryable): Promise<{ tx_hash: string; raw: string }[]> {
  return sql<{ tx_hash: string; raw: string }[]>`
    select tx_hash, raw from withdrawal_transactions where treasury is null limit 1000`;
}

/** Writes down who has signed a transaction: that is, or was, the treasury. */
export async function nameSigner(tx: Transaction, txHash: string, treasury: string): Promise<void> {
  await tx`insert into treasuries (address) values (${treasury}) on conflict do nothing`;
  await tx`update withdrawal_transactions set treasury = ${treasury} where tx_hash = ${txHash}`;
  await tx`
    update withdrawals w set treasury = ${treasury} from withdrawal_transactions s
    where s.tx_hash = ${txHash} and w.withdrawal_id = s.withdrawal_id and w.nonce = s.nonce and w.treasury is null`;
}

/** All that was signed for a withdrawal, newest first. */
export async function selectSigned(sql: Queryable, id: string): Promise<SignedRow[]> {
  return sql<SignedRow[]>`
    select tx_hash, withdrawal_id, nonce, raw, max_fee::text, priority_fee::text, treasury, signed_block,
      extract(epoch from now() - signed_at)::float8 * 1000 as age_ms
    from withdrawal_transactions where withdrawal_id = ${id} order by signed_at desc, max_fee desc`;
}

/**
 * Stores what was signed, before anybody sees it; with it the withdrawal counts as one that may be mined. Throws NotPayable
 * where its agent is banned by now: a ban comes before the signature, or after it, never in between.
 */
export async function insertSigned(tx: Transaction, epoch: number, signed: Omit<SignedRow, 'age_ms'>): Promise<void> {
  await fence(tx, epoch);
  const { tx_hash: hash, withdrawal_id: id, treasury, nonce } = signed;
  assertWhole(nonce, 'the nonce of a payment');
  assert(BigInt(signed.max_fee) >= BigInt(signed.priority_fee), 'the highest fee covers the priority fee', id);
  await tx`select from agents where agent_id = (select agent_id from withdrawals where withdrawal_id = ${id}) for share`;
  const rows = await tx`
    update withdrawals w set status = 'processing', treasury = ${treasury}, nonce = ${nonce}, tx_hash = ${hash},
      changed_at = now(), error_message = null
    where withdrawal_id = ${id} and status in ('pending', 'processing', 'submitted') and not (${held(tx)}) and not ${waits(tx)}
      and (nonce is null or nonce = ${nonce} and treasury = ${treasury}) returning 1`;
  assert(rows.length <= 1, 'one withdrawal has the id', id);
  if (rows.length === 0) throw new NotPayable(`withdrawal ${id} is held, or decided`);
  await tx`
    insert into withdrawal_transactions (tx_hash, withdrawal_id, treasury, nonce, raw, max_fee, priority_fee, signed_block)
    values (${hash}, ${id}, ${treasury}, ${nonce}, ${signed.raw}, ${signed.max_fee}, ${signed.priority_fee},
      ${signed.signed_block})`;
}

/** A node has taken its transaction. */
export async function markSubmitted(tx: Transaction, epoch: number, id: string): Promise<void> {
  await fence(tx, epoch);
  await tx`
    update withdrawals set status = 'submitted', changed_at = now(), error_message = null
    where withdrawal_id = ${id} and status = 'processing'`;
}

/** Why it does not go on; one that is queued is left alone for so long. */
export async function noteTrouble(
  tx: Transaction,
  epoch: number,
  id: string,
  { message, pauseMs }: { message: string; pauseMs: number },
): Promise<void> {
  assert(pauseMs >= 0, 'a pause ends after it began', pauseMs);
  await fence(tx, epoch);
  await tx`
    update withdrawals set error_message = ${message}, changed_at = now(),
      due_at = now() + ${pauseMs} * interval '1 millisecond'
    where withdrawal_id = ${id} and status in ('pending', 'processing', 'submitted')`;
}

export async function noteMined(
  tx: Transaction,
  epoch: number,
  id: string,
  { txHash, confirmations }: { txHash: string; confirmations: number },
): Promise<void> {
  assertWhole(confirmations, 'the confirmations of a payment');
  await fence(tx, epoch);
  await tx`
    update withdrawals set tx_hash = ${txHash}, confirmations = ${confirmations}, changed_at = now()
    where withdrawal_id = ${id} and status in ('pending', 'processing', 'submitted')`;
}

/** The chain would refuse it: it is tried again later. Only what was never signed. */
export async function postpone(
  tx: Transaction,
  epoch: number,
  id: string,
  { message, pauseMs }: { message: string; pauseMs: number },
): Promise<void> {
  assert(pauseMs > 0, 'a refused withdrawal pauses', pauseMs);
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
    update withdrawals set status = 'pending', treasury = null, nonce = null, tx_hash = null, confirmations = 0, changed_at = now()
    where withdrawal_id = ${id} and status in ('processing', 'submitted')`;
}

/** The transaction that decided a withdrawal, and its place. Null: none of its transactions is on the chain. */
export interface PaymentDecision extends ChainPlace {
  txHash: string;
  confirmations: number;
}

/** The money has arrived. False when it was decided before. */
export async function confirm(
  tx: Transaction,
  epoch: number,
  { withdrawal_id: id, ucents, reversals }: WithdrawalRow,
  { txHash, confirmations, blockNumber, blockHash }: PaymentDecision,
): Promise<boolean> {
  assert(ucents > 0, 'a withdrawal pays credits', ucents);
  assert(confirmations > 0, 'a paid withdrawal is part of the chain', confirmations);
  await fence(tx, epoch);
  const rows = await tx`
    update withdrawals set status = 'confirmed', tx_hash = ${txHash}, confirmations = ${confirmations},
      block_number = ${blockNumber}, block_hash = ${blockHash}, lost_at = null, error_message = null, changed_at = now(),
      decided_at = now()
    where withdrawal_id = ${id} and status in ('pending', 'processing', 'submitted') returning 1`;
  assert(rows.length <= 1, 'one withdrawal has the id', id);
  if (rows.length === 0) return false;
  await settled(tx, {
    type: 'withdraw',
    once: onceMore(`withdrawn:${id}`, reversals),
    reference: id,
    legs: [
      { account: 'in_flight', ucents: -ucents },
      { account: 'withdrawn', ucents },
    ],
  });
  return true;
}

/** It is not paid: the credits go back, once. False when it was decided before. */
export async function fail(
  tx: Transaction,
  epoch: number,
  withdrawal: Pick<WithdrawalRow, 'withdrawal_id' | 'agent_id' | 'ucents' | 'reversals'>,
  message: string,
  decision: PaymentDecision | null = null,
): Promise<boolean> {
  await fence(tx, epoch);
  const rows = await tx`
    update withdrawals set status = 'failed', error_message = ${message}, lost_at = null, changed_at = now(),
      decided_at = now(), tx_hash = coalesce(${decision?.txHash ?? null}, tx_hash),
      confirmations = coalesce(${decision?.confirmations ?? null}, confirmations),
      block_number = ${decision?.blockNumber ?? null}, block_hash = ${decision?.blockHash ?? null}
    where withdrawal_id = ${withdrawal.withdrawal_id} and status in ('pending', 'processing', 'submitted') returning 1`;
  assert(rows.length <= 1, 'one withdrawal has the id', withdrawal.withdrawal_id);
  if (rows.length === 0) return false;
  await giveBackWithdrawal(tx, withdrawal);
  return true;
}
