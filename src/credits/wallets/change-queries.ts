import { assert } from '../../ops/assert.js';
import type { Queryable, Transaction } from '../../store/database.js';
import type { WithdrawalRow } from '../chain/withdrawal-queries.js';

/** A change that may be taken back. */
export interface ChangeRow {
  change_id: number;
  agent_id: string;
  old_wallet: string | null;
  old_held_until: Date | null;
  changed_at: Date;
}

export async function isVerified(sql: Queryable, agentId: string): Promise<boolean> {
  const rows = await sql`
    select 1 from agents where agent_id = ${agentId} and email_verified_at is not null`;
  return rows.length > 0;
}

/** Writes a change down, and holds the agent's withdrawals; until when. */
export async function insertChange(
  tx: Transaction,
  change: { agentId: string; from: string | null; to: string | null; tokenHash: Buffer; holdHours: number },
): Promise<Date> {
  const { agentId, from, to, tokenHash, holdHours } = change;
  assert(holdHours > 0, 'a hold has an end', holdHours);
  const [row] = await tx<{ held_until: Date }[]>`
    with changed as (
      insert into wallet_changes (agent_id, old_wallet, old_held_until, new_wallet, token_hash, held_until)
      select agent_id, ${from}, wallet_held_until, ${to}, ${tokenHash}, now() + ${holdHours}::integer * interval '1 hour'
      from agents where agent_id = ${agentId} returning held_until)
    update agents set wallet_held_until = held_until from changed where agent_id = ${agentId} returning held_until`;
  assert(row !== undefined, 'the agent of a wallet is stored', agentId);
  return row.held_until;
}

export async function selectOpenChange(sql: Queryable, tokenHash: Buffer): Promise<ChangeRow | undefined> {
  const [row] = await sql<ChangeRow[]>`
    select change_id, agent_id, old_wallet, old_held_until, changed_at from wallet_changes
    where token_hash = ${tokenHash} and ended_at is null and held_until > now()`;
  return row;
}

/** Ends a change and all later ones of its agent; undefined where it has ended meanwhile. */
export async function endChangesFrom(tx: Transaction, changeId: number): Promise<ChangeRow | undefined> {
  const rows = await tx<ChangeRow[]>`
    update wallet_changes c set ended_at = now() from wallet_changes first
    where first.change_id = ${changeId} and first.ended_at is null and c.agent_id = first.agent_id
      and c.change_id >= first.change_id and c.ended_at is null
    returning c.change_id, c.agent_id, c.old_wallet, c.old_held_until, c.changed_at`;
  assert(new Set(rows.map(({ agent_id }) => agent_id)).size <= 1, 'changes end of one agent', changeId);
  return rows.find(({ change_id }) => change_id === changeId);
}

/** None of the agent's changes can be taken back any more. */
export async function endChanges(tx: Queryable, agentId: string): Promise<void> {
  await tx`update wallet_changes set ended_at = now() where agent_id = ${agentId} and ended_at is null`;
}

/** Fails what waits since then; its credits are still to be given back. */
export async function failWaiting(
  tx: Transaction,
  agentId: string,
  since: Date,
): Promise<Pick<WithdrawalRow, 'withdrawal_id' | 'agent_id' | 'ucents' | 'reversals'>[]> {
  return tx<Pick<WithdrawalRow, 'withdrawal_id' | 'agent_id' | 'ucents' | 'reversals'>[]>`
    update withdrawals set status = 'failed', error_message = 'the change of the wallet was cancelled', changed_at = now(),
      decided_at = now()
    where agent_id = ${agentId} and status = 'pending' and created_at >= ${since}
    returning withdrawal_id, agent_id, ucents, reversals`;
}

/** The wallet from before the change stands again. `wallet` is the one that it had until now. */
export async function restoreWallet(
  tx: Transaction,
  agentId: string,
  { old_wallet, old_held_until }: ChangeRow,
): Promise<{ name: string; email: string; wallet: string | null }> {
  const [row] = await tx<{ name: string; email: string; wallet: string | null }[]>`
    with before as (select agent_id, wallet_address from agents where agent_id = ${agentId})
    update agents a set wallet_address = ${old_wallet}, wallet_held_until = ${old_held_until}
    from before where a.agent_id = before.agent_id
    returning name, email, before.wallet_address as wallet`;
  assert(row !== undefined, 'the agent of a wallet is stored', agentId);
  return row;
}
