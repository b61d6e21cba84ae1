import { assert, assertWhole } from '../../ops/assert.js';
import { onceMore, postCredits } from '../ledger.js';
import type { Queryable, Transaction } from '../../store/database.js';
import type { Leadership } from '../../store/node/leadership.js';
import type { ChainPlace } from './answers.js';

export type DepositStatus = 'pending' | 'confirmed' | 'orphaned';

export interface DepositRow {
  deposit_id: string;
  tx_hash: string;
  agent_id: string;
  wallet: string;
  /** Where it went; null in those from before treasuries were written down. */
  treasury: string | null;
  status: DepositStatus;
  /** In the token's smallest unit: 1/100 ucent. */
  units: number;
  log_index: number;
  block_number: number;
  block_hash: string;
  confirmations: number;
  /** When the chain was found to have dropped it after it was credited. */
  lost_at: Date | null;
  /** How often its credit was taken back. */
  reversals: number;
}

export const UNITS_PER_UCENT = 100;
/** Deposits that were dropped are followed for so long: they may be mined again. */
const FOLLOWED = '7 days';
/** More than a day has; the oldest are left out. */
const MOST_WATCHED = 20_000;

const columns = (sql: Queryable) =>
  sql`deposit_id, tx_hash, agent_id, wallet, treasury, status, units, log_index, block_number, block_hash, confirmations,
    lost_at, reversals`;

/** The deposits of a transaction, one a wallet. */
export async function selectDeposits(sql: Queryable, txHash: string): Promise<DepositRow[]> {
  return sql<DepositRow[]>`select ${columns(sql)} from deposits where tx_hash = ${txHash} order by log_index, wallet`;
}

/** Notes the treasury of this process, for the time when it is a former one. Only the leader's: throws Displaced. */
export async function insertTreasury(sql: Queryable, leadership: Leadership, address: string): Promise<void> {
  await leadership.guarded(sql`
    insert into treasuries (address) select ${address} where ${leadership.required(sql)} on conflict do nothing`);
}

/** Every address that is or was the treasury. */
export async function selectTreasuries(sql: Queryable): Promise<string[]> {
  const rows = await sql<{ address: string }[]>`select address from treasuries`;
  return rows.map(({ address }) => address);
}

export async function selectWallet(sql: Queryable, agentId: string): Promise<string | null> {
  const [row] = await sql<{ wallet_address: string | null }[]>`
    select wallet_address from agents where agent_id = ${agentId}`;
  return row?.wallet_address ?? null;
}

export type NewDeposit = Omit<DepositRow, 'status' | 'confirmations' | 'lost_at' | 'reversals'> & {
  proof_id: number | null;
};

/** Takes a deposit down, unless somebody has already. */
export async function insertDeposit(sql: Queryable, deposit: NewDeposit): Promise<void> {
  assertWhole(deposit.units, 'the units of a deposit');
  assertWhole(deposit.block_number, 'the block of a deposit');
  await sql`
    insert into deposits (deposit_id, tx_hash, agent_id, wallet, treasury, proof_id, units, log_index, block_number,
      block_hash)
    values (${deposit.deposit_id}, ${deposit.tx_hash}, ${deposit.agent_id}, ${deposit.wallet}, ${deposit.treasury},
      ${deposit.proof_id}, ${deposit.units}, ${deposit.log_index}, ${deposit.block_number}, ${deposit.block_hash})
    on conflict (tx_hash, wallet) do nothing`;
}

/** Those that are not decided, the oldest first. */
export async function selectOpenDeposits(sql: Queryable): Promise<DepositRow[]> {
  return sql<DepositRow[]>`
    select ${columns(sql)} from deposits
    where status = 'pending' or (status = 'orphaned' and coalesce(retried_at, created_at) > now() - ${FOLLOWED}::interval)
    order by created_at limit 1000`;
}

/** Those credited within so many hours, and those that the chain has dropped since. */
export async function selectCredited(sql: Queryable, hours: number): Promise<DepositRow[]> {
  return sql<DepositRow[]>`
    select ${columns(sql)} from deposits
    where status = 'confirmed'
      and (changed_at > now() - ${hours} * interval '1 hour' or lost_at is not null and loss_accepted_at is null)
    order by changed_at desc limit ${MOST_WATCHED}`;
}

export async function countPending(sql: Queryable): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*) from deposits where status = 'pending'`;
  assert(row !== undefined, 'pending deposits are counted');
  return row.count;
}

/** A deposit that is not decided, and is as it was read: nobody has followed it meanwhile. */
const unchanged = (sql: Queryable, { deposit_id: id, status, reversals, ...read }: DepositRow) => sql`
  deposit_id = ${id} and status <> 'confirmed' and status = ${status} and reversals = ${reversals}
  and block_hash is not distinct from ${read.block_hash}`;

/**
 * Stores the chain's view of a deposit that is not credited, unless it was stored meanwhile. With a leadership only the
 * leader's: throws Displaced.
 */
export async function updateOpenDeposit(
  sql: Queryable,
  leadership: Leadership | null,
  deposit: DepositRow,
  seen: { status: 'pending' | 'orphaned'; confirmations: number; units?: number } & Partial<ChainPlace>,
): Promise<void> {
  assert(deposit.status !== 'confirmed', 'a credited deposit is not open', deposit.deposit_id);
  assertWhole(seen.confirmations, 'the confirmations of a deposit');
  const leads = leadership === null ? sql`` : sql`and ${leadership.required(sql)}`;
  const writing = sql`
    update deposits set status = ${seen.status}, confirmations = ${seen.confirmations}, changed_at = now(),
      units = coalesce(${seen.units ?? null}, units),
      block_number = coalesce(${seen.blockNumber ?? null}, block_number),
      block_hash = coalesce(${seen.blockHash ?? null}, block_hash)
    where ${unchanged(sql, deposit)} ${leads}`;
  await (leadership?.guarded(writing) ?? writing);
}

/** Where a credited deposit is mined now: it is watched from now on. Only the leader's: throws Displaced. */
export async function moveCredited(
  sql: Queryable,
  leadership: Leadership,
  depositId: string,
  { blockNumber, blockHash }: ChainPlace,
): Promise<void> {
  await leadership.guarded(sql`
    update deposits set block_number = ${blockNumber}, block_hash = ${blockHash}, changed_at = now()
    where deposit_id = ${depositId} and status = 'confirmed' and block_hash <> ${blockHash}
      and ${leadership.required(sql)}`);
}

/**
 * Marks a credited deposit that the chain has dropped, or has again; true when that is news. Only the leader's: throws
 * Displaced.
 */
export async function markLost(
  sql: Queryable,
  leadership: Leadership,
  depositId: string,
  lost: boolean,
): Promise<boolean> {
  const rows = await leadership.guarded(sql`
    update deposits set lost_at = case when ${lost}::boolean then now() end, loss_accepted_at = null
    where deposit_id = ${depositId} and (lost_at is null) = ${lost}::boolean and ${leadership.required(sql)} returning 1`);
  assert(rows.length <= 1, 'one deposit has the id', depositId);
  return rows.length > 0;
}

/**
 * Credits a deposit once: its whole ucents go to the agent. The rest is collected. Each collected ucent goes to the
 * platform's remainders. False when it was credited, or followed, meanwhile.
 */
export async function creditDeposit(
  tx: Transaction,
  deposit: DepositRow,
  { units, confirmations, blockNumber, blockHash }: { units: number; confirmations: number } & ChainPlace,
): Promise<boolean> {
  const { deposit_id: id, agent_id: agent, reversals } = deposit;
  assertWhole(units, 'the units of a deposit');
  assert(confirmations > 0, 'a credited deposit is part of the chain', confirmations);
  assert(deposit.status !== 'confirmed', 'a deposit is credited once', id);
  const updated = await tx`
    update deposits set status = 'confirmed', units = ${units}, confirmations = ${confirmations}, block_number = ${blockNumber},
      block_hash = ${blockHash}, changed_at = now()
    where ${unchanged(tx, deposit)} returning 1`;
  if (updated.length === 0) return false;
  const ucents = Math.floor(units / UNITS_PER_UCENT);
  if (ucents > 0) {
    const legs = [
      { account: 'deposits' as const, ucents: -ucents },
      { account: { agent }, ucents },
    ];
    const result = await postCredits(tx, {
      type: 'deposit',
      once: onceMore(`deposit:${id}`, reversals),
      reference: id,
      legs,
    });
    assert(result === 'posted', 'the ledger takes a deposit', result);
  }
  // When the credit was taken back, the part below a ucent stayed collected.
  if (reversals === 0) await collectRemainder(tx, units % UNITS_PER_UCENT, id);
  return true;
}

async function collectRemainder(tx: Transaction, units: number, depositId: string): Promise<void> {
  assert(units >= 0 && units < UNITS_PER_UCENT, 'a remainder is less than a ucent', units);
  if (units === 0) return;
  const [row] = await tx<{ before: number }[]>`
    with before as (select remainder_units from treasury for update)
    update treasury set remainder_units = (before.remainder_units + ${units}) % ${UNITS_PER_UCENT}
    from before returning before.remainder_units as before`;
  assert(row !== undefined, 'the treasury has a row');
  assert(row.before < UNITS_PER_UCENT, 'remainders that amount to a ucent are collected', row.before);
  if (row.before + units < UNITS_PER_UCENT) return;
  const legs = [
    { account: 'deposits' as const, ucents: -1 },
    { account: 'remainders' as const, ucents: 1 },
  ];
  const result = await postCredits(tx, { type: 'deposit', once: `remainder:${depositId}`, reference: null, legs });
  assert(result === 'posted', 'the ledger takes a remainder', result);
}

/**
 * Takes the credits of a deposit that the chain has lost back from its agent; it is followed as a new one from then on.
 * `none` where it is not lost, `insufficient` where the balance does not cover it. Either way nothing has changed.
 */
export async function reverseStoredDeposit(tx: Transaction, id: string): Promise<'reversed' | 'none' | 'insufficient'> {
  const [row] = await tx<{ agent_id: string; units: number; reversals: number }[]>`
    update deposits set status = 'orphaned', confirmations = 0, lost_at = null, reversals = reversals + 1,
      retried_at = now(), changed_at = now()
    where deposit_id = ${id} and status = 'confirmed' and lost_at is not null returning agent_id, units, reversals`;
  if (row === undefined) return 'none';
  assert(row.reversals > 0, 'a reversal is counted', row.reversals);
  const ucents = Math.floor(row.units / UNITS_PER_UCENT);
  if (ucents === 0) return 'reversed';
  const legs = [
    { account: { agent: row.agent_id }, ucents: -ucents },
    { account: 'deposits' as const, ucents },
  ];
  const once = onceMore(`reversed:${id}`, row.reversals);
  const result = await postCredits(tx, { type: 'deposit', once, reference: id, legs });
  assert(result !== 'already', 'a deposit is reversed once a credit', id);
  return result === 'posted' ? 'reversed' : 'insufficient';
}

/** The agent of a deposit that the chain has lost may withdraw all the same. False where it is not lost, or accepted. */
export async function acceptLoss(tx: Transaction, id: string): Promise<boolean> {
  const { count } = await tx`
    update deposits set loss_accepted_at = now()
    where deposit_id = ${id} and status = 'confirmed' and lost_at is not null and loss_accepted_at is null`;
  assert(count <= 1, 'one deposit has the id', id);
  return count === 1;
}
