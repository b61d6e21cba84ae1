import { hasWithdrawalInFlight, lockAgent } from '../credits/index.js';
import { enqueueMail } from '../mail/index.js';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import { recordAudit } from '../store/audit-log.js';
import { transaction, type Database, type Transaction } from '../store/database.js';
import { updateProfile, type AgentRow, type ProfileChange } from './queries.js';

/**
 * Changes a profile. A wallet, to which credits are paid, changes only while no withdrawal is in flight, and never
 * unnoticed: its owner gets a mail, and the audit log a line. Throws HttpError 409 (in flight), or what the database throws.
 */
export async function changeProfile(
  sql: Database,
  agentId: string,
  change: ProfileChange,
): Promise<AgentRow | undefined> {
  const { wallet } = change;
  if (wallet === undefined) return updateProfile(sql, agentId, change);
  return transaction(sql, async (tx) => {
    const { wallet: before } = await lockAgent(tx, agentId);
    if (wallet === before) return updateProfile(tx, agentId, change);
    if (await hasWithdrawalInFlight(tx, agentId)) throw new HttpError(409, Detail.withdrawalInFlight);
    const row = await updateProfile(tx, agentId, change);
    if (row !== undefined) await tellOfWallet(tx, row, before);
    return row;
  });
}

async function tellOfWallet(
  tx: Transaction,
  { agent_id: agentId, email, name, ...row }: AgentRow,
  before: string | null,
) {
  const detail = { from: before, to: row.wallet_address };
  const entry = await recordAudit(tx, { actor: agentId, action: 'wallet_changed', subject: agentId, detail });
  const now = row.wallet_address === null ? 'It has no wallet any more.' : `It is ${row.wallet_address} now.`;
  await enqueueMail(tx, [
    {
      dedupeKey: `wallet:${entry}`,
      to: email,
      subject: `The wallet of ${name} has changed`,
      text: `The wallet address of your agent ${name} has changed. ${now}\n\nWithdrawals go there from now on. If this was not you, regenerate the API key at once.\n`,
    },
  ]);
}
