import { assert, assertWhole } from '../../ops/assert.js';
import type { Queryable, Transaction } from '../../store/database.js';
import { onceMore, postCredits, type PostingResult } from '../ledger.js';

export type WithdrawalStatus = 'pending' | 'processing' | 'submitted' | 'confirmed' | 'failed';

export interface WithdrawalRow {
  withdrawal_id: string;
  agent_id: string;
  to_address: string;
  ucents: number;
  status: WithdrawalStatus;
  /** The signing treasury, checksummed. Null before the signature. */
  treasury: string | null;
  nonce: number | null;
  /** The hash of the newest transaction, and in the end of the mined one. */
  tx_hash: string | null;
  confirmations: number;
  refusals: number;
  error_message: string | null;
  /** How often its decision was taken back. */
  reversals: number;
  /** Its wallet had changed when it was asked for: it is not paid before. */
  waits_until: Date | null;
  created_at: Date;
}

export const withdrawalColumns = (sql: Queryable) =>
  sql`withdrawal_id, agent_id, to_address, ucents, status, treasury, nonce, tx_hash, confirmations, refusals, error_message,
    reversals, waits_until, created_at`;

/** An agent as its withdrawals see it: its wallet, and until when they wait since that has changed. */
interface LockedAgent {
  wallet: string | null;
  held_until: Date | null;
}

/** Locks the agent's row, so that its withdrawals and wallet changes come one after the other. */
export async function lockAgent(tx: Transaction, agentId: string): Promise<LockedAgent> {
  const [row] = await tx<LockedAgent[]>`
    select wallet_address as wallet, case when wallet_held_until > now() then wallet_held_until end as held_until
    from agents where agent_id = ${agentId} for update`;
  assert(row !== undefined, 'the agent of a withdrawal is stored', agentId);
  return row;
}

/** The agent's requests of the last 24 hours. Failed withdrawals count: the treasury may have paid for each. */
export async function withdrawnToday(sql: Queryable, agentId: string): Promise<number> {
  const [row] = await sql<{ ucents: number }[]>`
    select coalesce(sum(ucents), 0)::bigint as ucents from withdrawals
    where agent_id = ${agentId} and created_at > now() - interval '24 hours'`;
  const ucents = row?.ucents ?? 0;
  assertWhole(ucents, 'what was withdrawn today');
  return ucents;
}

export async function hasWithdrawalInFlight(sql: Queryable, agentId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from withdrawals where agent_id = ${agentId} and status in ('pending', 'processing', 'submitted') limit 1`;
  return rows.length > 0;
}

/** Takes the amount from the agent and queues it. */
export async function insertWithdrawal(
  tx: Transaction,
  withdrawal: { id: string; agentId: string; to: string; ucents: number; waitsUntil: Date | null },
): Promise<PostingResult> {
  const { id, agentId, to, ucents, waitsUntil } = withdrawal;
  assert(ucents > 0, 'a withdrawal takes credits', ucents);
  const result = await postCredits(tx, {
    type: 'withdraw',
    once: `withdrawal:${id}`,
    reference: id,
    legs: [
      { account: { agent: agentId }, ucents: -ucents },
      { account: 'in_flight', ucents },
    ],
  });
  if (result !== 'posted') return result;
  await tx`
    insert into withdrawals (withdrawal_id, agent_id, to_address, ucents, waits_until)
    values (${id}, ${agentId}, ${to}, ${ucents}, ${waitsUntil})`;
  return result;
}

export async function selectWithdrawal(
  sql: Queryable,
  agentId: string,
  id: string,
): Promise<WithdrawalRow | undefined> {
  const [row] = await sql<WithdrawalRow[]>`
    select ${withdrawalColumns(sql)} from withdrawals where withdrawal_id = ${id} and agent_id = ${agentId}`;
  return row;
}

/** Latest first. */
export async function selectWithdrawals(
  sql: Queryable,
  agentId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<WithdrawalRow[]> {
  return sql<WithdrawalRow[]>`
    select ${withdrawalColumns(sql)} from withdrawals where agent_id = ${agentId}
    order by created_at desc, withdrawal_id limit ${limit} offset ${offset}`;
}

/**
 * Whether an operator must decide on a withdrawal. This holds for a banned agent. It also holds for credits that the
 * chain contradicts: a lost deposit, or a refunded withdrawal that was paid after all.
 */
export const held = (sql: Queryable) => sql`
  released_at is null and (
    exists (select from agents a where a.agent_id = w.agent_id and banned_at is not null)
    or exists (select from deposits d
      where d.agent_id = w.agent_id and d.lost_at is not null and d.loss_accepted_at is null)
    or exists (select from withdrawals x
      where x.agent_id = w.agent_id and x.lost_at is not null and x.status = 'failed'))`;

/** Whether a withdrawal waits since its wallet had changed. */
export const waits = (sql: Queryable) => sql`(released_at is null and coalesce(waits_until > now(), false))`;

/** The credits of a withdrawal that has failed go back to its agent. */
export async function giveBackWithdrawal(
  tx: Transaction,
  {
    withdrawal_id: id,
    agent_id: agent,
    ucents,
    reversals,
  }: Pick<WithdrawalRow, 'withdrawal_id' | 'agent_id' | 'ucents' | 'reversals'>,
): Promise<void> {
  assert(ucents > 0, 'a withdrawal that is given back took credits', ucents);
  assertWhole(reversals, 'how often a decision was taken back');
  await settled(tx, {
    type: 'withdraw_refund',
    once: onceMore(`refund:${id}`, reversals),
    reference: id,
    legs: [
      { account: 'in_flight', ucents: -ucents },
      { account: { agent }, ucents },
    ],
  });
}

/** Books what must be possible by now. */
export async function settled(tx: Transaction, posting: Parameters<typeof postCredits>[1]): Promise<void> {
  const result = await postCredits(tx, posting);
  assert(posting.once !== null, 'what must be possible has a name', posting.reference);
  assert(result === 'posted', 'the ledger takes what must be possible', result);
}
