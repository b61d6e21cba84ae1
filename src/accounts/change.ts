import { hasWithdrawalInFlight, lockAgent, type WalletChanges } from '../credits/index.js';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import { transaction, type Database, type Transaction } from '../store/database.js';
import { updateProfile, type AgentRow, type ProfileChange } from './queries.js';

/** The author of a change of a profile, and its origin. */
export interface ChangeContext {
  renamed: Renamed;
  walletChanges: WalletChanges;
  /** Address of the network that the request came from; null when it is not known. */
  ip: string | null;
}

/**
 * Changes a profile. A wallet, to which credits are paid, changes only while no withdrawal is in flight, and never
 * unnoticed (`WalletChanges`). `renamed` is called with a name within the transaction, and may refuse it. Throws
 * HttpError 409 (in flight), 429 (too many changes), or what the database or `renamed` throws.
 */
export async function changeProfile(
  sql: Database,
  agentId: string,
  change: ProfileChange,
  { renamed, walletChanges, ip }: ChangeContext,
): Promise<AgentRow | undefined> {
  const { wallet } = change;
  if (wallet === undefined && change.name === undefined) return updateProfile(sql, agentId, change);
  return transaction(sql, async (tx) => {
    const { wallet: before } = await lockAgent(tx, agentId);
    const other = wallet !== undefined && wallet !== before;
    if (other && (await hasWithdrawalInFlight(tx, agentId))) throw new HttpError(409, Detail.withdrawalInFlight);
    const row = await updateProfile(tx, agentId, change);
    if (row !== undefined && change.name !== undefined) await renamed(tx, agentId);
    if (row === undefined || !other) return row;
    const { email, name, wallet_address: to } = row;
    const heldUntil = await walletChanges.changed(tx, { agentId, email, name, from: before, to }, { ip });
    return { ...row, wallet_held_until: heldUntil };
  });
}

/** Hears of an agent's new name in the transaction that changes it; throws HttpError 409 where it cannot have that. */
export type Renamed = (tx: Transaction, agentId: string) => Promise<void>;
