import { assert, assertWhole } from '../../ops/assert.js';
import type { Queryable, Transaction } from '../../store/database.js';
import { onceMore, postCredits } from '../ledger.js';
import type { ChainPlace } from './answers.js';
import { fence, type PaymentDecision, type SignedRow } from './signer-queries.js';
import { settled, withdrawalColumns, type WithdrawalRow } from './withdrawal-queries.js';

/** Writes about decided withdrawals and unused nonces. Each requires the signer's epoch. */

export type DecidedRow = WithdrawalRow & {
  status: 'confirmed' | 'failed';
  block_number: number | null;
  block_hash: string | null;
  lost_at: Date | null;
};

/** More than a day has; the oldest are left out. */
const MOST_WATCHED = 20_000;

/** Withdrawals decided within so many hours with a signed transaction, and those that the chain contradicts. */
export async function selectDecided(sql: Queryable, hours: number): Promise<DecidedRow[]> {
  return sql<DecidedRow[]>`
    select ${withdrawalColumns(sql)}, block_number, block_hash, lost_at from withdrawals w
    where status in ('confirmed', 'failed')
      and (decided_at > now() - ${hours} * interval '1 hour' or lost_at is not null)
      and exists (select from withdrawal_transactions s where s.withdrawal_id = w.withdrawal_id)
    order by decided_at desc limit ${MOST_WATCHED}`;
}

/** Where the chain has what decided it now, null where nowhere: it is watched from now on. */
export async function movePlace(
  tx: Transaction,
  epoch: number,
  { withdrawal_id: id, status }: DecidedRow,
  place: (ChainPlace & { txHash: string }) | null,
): Promise<void> {
  if (place !== null) assertWhole(place.blockNumber, 'the block of a payment');
  await fence(tx, epoch);
  await tx`
    update withdrawals set block_number = ${place?.blockNumber ?? null}, block_hash = ${place?.blockHash ?? null},
      tx_hash = coalesce(${place?.txHash ?? null}, tx_hash), decided_at = now()
    where withdrawal_id = ${id} and status = ${status}`;
}

/** The chain has dropped a paid withdrawal: it is under way again, and what was signed is sent again. False where it is not paid. */
export async function reopen(
  tx: Transaction,
  epoch: number,
  { withdrawal_id: id, ucents }: WithdrawalRow,
): Promise<boolean> {
  await fence(tx, epoch);
  const [row] = await tx<{ reversals: number }[]>`
    update withdrawals set status = 'processing', lost_at = now(), reversals = reversals + 1, confirmations = 0,
      block_number = null, block_hash = null, decided_at = null, changed_at = now()
    where withdrawal_id = ${id} and status = 'confirmed' returning reversals`;
  if (row === undefined) return false;
  assert(row.reversals > 0, 'a decision that is taken back is counted', row.reversals);
  await settled(tx, {
    type: 'withdraw',
    once: onceMore(`reopened:${id}`, row.reversals),
    reference: id,
    legs: [
      { account: 'withdrawn', ucents: -ucents },
      { account: 'in_flight', ucents },
    ],
  });
  return true;
}

/** Whether the chain pays a failed withdrawal after all; true where that is news. Its agent's withdrawals are held. */
export async function markPaidAfterAll(tx: Transaction, epoch: number, id: string, paid: boolean): Promise<boolean> {
  await fence(tx, epoch);
  const { count } = await tx`
    update withdrawals set lost_at = case when ${paid}::boolean then now() end
    where withdrawal_id = ${id} and status = 'failed' and (lost_at is null) = ${paid}::boolean`;
  assert(count <= 1, 'one withdrawal has the id', id);
  return count === 1;
}

/** The balance does not cover what the chain has paid. */
export class NotCovered extends Error {
  override name = 'NotCovered';
}

/** A failed withdrawal was paid: what was given back is taken again, once. Throws NotCovered; false where it is not failed. */
export async function settlePaid(
  tx: Transaction,
  epoch: number,
  { withdrawal_id: id, agent_id: agent, ucents }: WithdrawalRow,
  { txHash, confirmations, blockNumber, blockHash }: PaymentDecision,
): Promise<boolean> {
  assert(ucents > 0, 'a withdrawal pays credits', ucents);
  assert(confirmations > 0, 'a paid withdrawal is part of the chain', confirmations);
  await fence(tx, epoch);
  const [row] = await tx<{ reversals: number }[]>`
    update withdrawals set status = 'confirmed', lost_at = null, reversals = reversals + 1, tx_hash = ${txHash},
      confirmations = ${confirmations}, block_number = ${blockNumber}, block_hash = ${blockHash}, error_message = null,
      decided_at = now(), changed_at = now()
    where withdrawal_id = ${id} and status = 'failed' returning reversals`;
  if (row === undefined) return false;
  const result = await postCredits(tx, {
    type: 'withdraw',
    once: onceMore(`settled:${id}`, row.reversals),
    reference: id,
    legs: [
      { account: { agent }, ucents: -ucents },
      { account: 'withdrawn', ucents },
    ],
  });
  if (result === 'insufficient') throw new NotCovered(`the agent's balance does not cover withdrawal ${id}`);
  assert(result === 'posted', 'a decision is settled once', result);
  return true;
}

/** A transfer of 0 from the treasury to itself. */
export type FillerRow = Omit<SignedRow, 'withdrawal_id' | 'signed_block'> & { signed_block: number };

/** Those of one nonce, the newest first. */
export async function selectFillers(sql: Queryable, treasury: string, nonce: number): Promise<FillerRow[]> {
  return sql<FillerRow[]>`
    select tx_hash, treasury, nonce, raw, max_fee::text, priority_fee::text, signed_block,
      extract(epoch from now() - signed_at)::float8 * 1000 as age_ms
    from nonce_fillers where treasury = ${treasury} and nonce = ${nonce} order by signed_at desc, max_fee desc`;
}

/** Stored before a node sees it. */
export async function insertFiller(tx: Transaction, epoch: number, filler: Omit<FillerRow, 'age_ms'>): Promise<void> {
  assertWhole(filler.nonce, 'the nonce of a filler');
  assert(BigInt(filler.max_fee) >= BigInt(filler.priority_fee), 'the highest fee covers the priority fee');
  await fence(tx, epoch);
  await tx`
    insert into nonce_fillers (tx_hash, treasury, nonce, raw, max_fee, priority_fee, signed_block)
    values (${filler.tx_hash}, ${filler.treasury}, ${filler.nonce}, ${filler.raw}, ${filler.max_fee},
      ${filler.priority_fee}, ${filler.signed_block})`;
}

/** The highest fees that were ever signed for a nonce by which nothing is paid any more; null where there are none. */
export async function selectFees(
  sql: Queryable,
  treasury: string,
  nonce: number,
): Promise<{ max_fee: string; priority_fee: string } | null> {
  const [row] = await sql<{ max_fee: string | null; priority_fee: string | null }[]>`
    select max(max_fee)::text as max_fee, max(priority_fee)::text as priority_fee from withdrawal_transactions
    where treasury = ${treasury} and nonce = ${nonce}`;
  const { max_fee = null, priority_fee = null } = row ?? {};
  return max_fee === null || priority_fee === null ? null : { max_fee, priority_fee };
}

/** The nonces from `low` to below `high` that a withdrawal under way has, or that a confirmed one was paid by. */
export async function selectNoncesInUse(
  sql: Queryable,
  treasury: string,
  { low, high }: { low: number; high: number },
): Promise<{ open: Set<number>; paid: Set<number> }> {
  const rows = await sql<{ nonce: number; paid: boolean }[]>`
    select nonce, false as paid from withdrawals
    where treasury = ${treasury} and nonce >= ${low} and nonce < ${high} and status in ('processing', 'submitted')
    union all
    select s.nonce, true from withdrawal_transactions s join withdrawals w using (withdrawal_id, tx_hash)
    where s.treasury = ${treasury} and s.nonce >= ${low} and s.nonce < ${high} and w.status = 'confirmed'`;
  const noncesOf = (paid: boolean) => new Set(rows.filter((row) => row.paid === paid).map(({ nonce }) => nonce));
  assert(
    rows.every(({ nonce }) => nonce >= low && nonce < high),
    'nonces are read from their range',
  );
  return { open: noncesOf(false), paid: noncesOf(true) };
}

/** Paid withdrawals of these nonces are watched from now on, however long ago they were decided. */
export async function watchAgain(
  tx: Transaction,
  epoch: number,
  treasury: string,
  nonces: readonly number[],
): Promise<void> {
  assert(nonces.length > 0, 'payments that are watched again have nonces');
  await fence(tx, epoch);
  await tx`
    update withdrawals w set decided_at = now() from withdrawal_transactions s
    where s.withdrawal_id = w.withdrawal_id and s.tx_hash = w.tx_hash and s.treasury = ${treasury}
      and s.nonce = any(${nonces as number[]}::bigint[]) and w.status = 'confirmed'`;
}

/** Head of the chain when the treasury signed last; null where it has signed nothing. */
export async function selectLastBlock(sql: Queryable, treasury: string): Promise<number | null> {
  const [row] = await sql<{ block: number | null }[]>`
    select max(signed_block) as block from withdrawal_transactions where treasury = ${treasury}`;
  return row?.block ?? null;
}
