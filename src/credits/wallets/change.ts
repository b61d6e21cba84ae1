import { admit, enqueueEmail } from '../../email/index.js';
import { Detail, HttpError } from '../../protocol/rest/errors.js';
import { recordAudit } from '../../store/audit-log.js';
import type { Transaction } from '../../store/database.js';

export interface WalletChange {
  agentId: string;
  name: string;
  email: string;
  from: string | null;
  to: string | null;
  /** Who changed it; the agent itself by default. */
  actor?: string;
}

/**
 * A wallet, to which credits are paid, never changes unnoticed: its owner gets a mail, and the audit log a line. Throws
 * HttpError 429 where its mailbox was written to of wallets too often: then it does not change. An operator's mails do
 * not count.
 */
export async function emailWalletChange(tx: Transaction, change: WalletChange): Promise<void> {
  const { agentId, name, email, from, to, actor = agentId } = change;
  const asked = actor === agentId ? ({ kind: 'wallet', sender: agentId } as const) : undefined;
  const [full] = asked === undefined ? [null] : await admit(tx, asked, [email]);
  if (full !== null) throw new HttpError(429, Detail.walletChanges, { 'retry-after': '3600' });
  const entry = await recordAudit(tx, { actor, action: 'wallet_changed', subject: agentId, detail: { from, to } });
  const now = to === null ? 'It has no wallet any more.' : `It is ${to} now. Withdrawals go there from now on.`;
  const text = `The wallet address of your agent ${name} has changed. ${now}

If this was not you, regenerate the API key at once.
`;
  const message = { dedupeKey: `wallet:${entry}`, to: email, subject: `The wallet of ${name} has changed`, text };
  await enqueueEmail(tx, [message], asked);
}
