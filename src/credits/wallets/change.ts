import { assert } from '../../ops/assert.js';
import { EmailQuota, enqueueEmail, retryAfter, type EmailRequest } from '../../email/index.js';
import { PAGE_PATHS } from '../../protocol/page-paths.js';
import { Detail, HttpError } from '../../protocol/rest/errors.js';
import { recordAudit } from '../../store/audit-log.js';
import type { Transaction } from '../../store/database.js';
import { newSecret, secretHash } from '../../store/secrets.js';
import { giveBackWithdrawal, lockAgent } from '../chain/withdrawal-queries.js';
import * as queries from './change-queries.js';

export interface WalletChange {
  agentId: string;
  name: string;
  email: string;
  from: string | null;
  to: string | null;
}

export interface WalletChangesOptions {
  /** Withdrawals wait for so many hours after a change. */
  holdHours: number;
  /** Our address as people reach it, without a slash at the end; asked when a link is written. */
  publicUrl: () => string;
  quota?: EmailQuota;
}

/** A change that its owner has cancelled. */
export interface CancelledChange {
  agentId: string;
  /** Stands again. */
  wallet: string | null;
  /** Withdrawals that were given back. */
  returned: number;
}

/** A mail server that is away keeps mails for two days; until then a mail about a wallet must not expire. */
const MAIL_HOURS = 48;
const HOUR_MS = 3_600_000;

/**
 * Changes of the wallet to which credits are paid. Each change has notices: the owner gets a mail, and the audit log a
 * line. Withdrawals wait for a while, and a link in the mail takes the change back.
 */
export class WalletChanges {
  readonly #quota: EmailQuota;

  constructor(private readonly options: WalletChangesOptions) {
    this.#quota = options.quota ?? new EmailQuota();
  }

  /**
   * In the transaction that changes the wallet, after the agent's row is locked. Until when withdrawals wait; null
   * without a hold. Throws HttpError 429 where too many such mails were asked for: then the wallet does not change.
   */
  async changed(tx: Transaction, change: WalletChange, { ip }: { ip: string | null }): Promise<Date | null> {
    const { agentId, email, from, to } = change;
    const known = (await queries.isVerified(tx, agentId)) ? { known: `agent ${agentId}` } : {};
    const asked: EmailRequest = { kind: 'wallet', ip, sender: agentId, ...known };
    const [full = null] = await this.#quota.admit(tx, asked, [email]);
    if (full !== null) throw new HttpError(429, Detail.walletChanges, retryAfter(full));
    const entry = await recordAudit(tx, {
      actor: agentId,
      action: 'wallet_changed',
      subject: agentId,
      detail: { from, to },
    });
    const { holdHours, publicUrl } = this.options;
    if (holdHours === 0) {
      await enqueueEmail(tx, [changeEmail(change, entry, IF_NOT_YOU)], asked);
      return null;
    }
    const token = newSecret();
    const heldUntil = await queries.insertChange(tx, { agentId, from, to, tokenHash: hashOf(token), holdHours });
    const link = `${publicUrl()}${PAGE_PATHS.walletCancel}#token=${token}`;
    const note = `Withdrawals wait until ${heldUntil.toISOString().slice(0, 16).replace('T', ' ')} UTC. Until then this link takes the change back:\n\n${link}\n`;
    const expiresAt = new Date(Date.now() + Math.max(holdHours, MAIL_HOURS) * HOUR_MS);
    await enqueueEmail(tx, [{ ...changeEmail(change, entry, note), expiresAt }], asked);
    return heldUntil;
  }

  /**
   * Takes a change back, and all later ones: the old wallet stands again, and withdrawals that were asked for since go
   * back to the balance. Null for a token that is unknown, used, or too late.
   */
  async cancel(tx: Transaction, token: string): Promise<CancelledChange | null> {
    const tokenHash = secretHash(token);
    const found = tokenHash === null ? undefined : await queries.selectOpenChange(tx, tokenHash);
    if (found === undefined) return null;
    const { agent_id: agentId } = found;
    await lockAgent(tx, agentId);
    const change = await queries.endChangesFrom(tx, found.change_id);
    if (change === undefined) return null;
    const returned = await queries.failWaiting(tx, agentId, change.changed_at);
    for (const withdrawal of returned) await giveBackWithdrawal(tx, withdrawal);
    assert(change.agent_id === agentId, 'a change is taken back by its own agent', agentId);
    const { name, email, wallet: from } = await queries.restoreWallet(tx, agentId, change);
    const to = change.old_wallet;
    const detail = { from, to, returned: returned.map(({ withdrawal_id: id }) => id) };
    const entry = await recordAudit(tx, {
      actor: agentId,
      action: 'wallet_change_cancelled',
      subject: agentId,
      detail,
    });
    const cancelled = 'The link of an earlier mail has taken a change back.\n';
    await enqueueEmail(tx, [changeEmail({ agentId, name, email, from, to }, entry, cancelled)]);
    return { agentId, wallet: to, returned: returned.length };
  }
}

/** An operator, or the owner's first sign-in, has taken the wallet away: earlier changes can no longer be taken back. */
export const endWalletChanges = queries.endChanges;

/** The mail of a wallet that an operator has taken away. It counts for no quota. */
export async function emailWalletCleared(
  tx: Transaction,
  change: Omit<WalletChange, 'to'>,
  actor: string,
): Promise<void> {
  const { agentId, from } = change;
  const detail = { from, to: null };
  const entry = await recordAudit(tx, { actor, action: 'wallet_changed', subject: agentId, detail });
  await enqueueEmail(tx, [changeEmail({ ...change, to: null }, entry, IF_NOT_YOU)]);
}

const IF_NOT_YOU = 'If this was not you, regenerate the API key at once.\n';

function changeEmail({ name, email, to }: WalletChange, entry: string | number, note: string) {
  const now = to === null ? 'It has no wallet any more.' : `It is ${to} now. Withdrawals go there from now on.`;
  const text = `The wallet address of your agent ${name} has changed. ${now}\n\n${note}`;
  return { dedupeKey: `wallet:${entry}`, to: email, subject: `The wallet of ${name} has changed`, text };
}

function hashOf(token: string): Buffer {
  const hash = secretHash(token);
  assert(hash !== null, 'a token of our own making has the right form');
  return hash;
}
