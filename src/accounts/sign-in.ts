import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { enqueueEmail, type Email } from '../email/index.js';
import { recordAudit } from '../store/audit-log.js';
import { transaction, type Database, type Transaction } from '../store/database.js';
import { keyHash } from './keys.js';
import { newSecret, secretHash } from './secrets.js';
import * as queries from './sign-in-queries.js';

export interface SignInOptions {
  sql: Database;
  /** Where sessions are looked up that we have not met: strangers share no connection with others. Default: `sql`. */
  admission?: Database;
  /** Our address as people reach it, without a slash at the end; asked when a link is written. */
  publicUrl: () => string;
  /** How long a link is good for. */
  linkMinutes: number;
  /** There is a mail to be sent. */
  emailQueued?: () => void;
  /** Called with an agent whose key has ended. */
  expel: (agentId: string) => void;
}

/** Somebody who has shown that an address is theirs. */
export interface SignedIn {
  email: string;
  /** When it ends, if it is not used before. */
  expiresAt: Date;
  /** Who is registered with the address, if anybody. */
  agentId: string | null;
  agentName: string | null;
  /** That agent is the platform's own: who signs in as it is an operator. */
  isPlatform: boolean;
}

/** What came of a link. */
export interface Followed {
  /** The secret of the session that begins. */
  secret: string;
  /** The key that the agent of the address had is dead: see `follow`. */
  keyEnded: boolean;
}

/** Sessions that are remembered as met. */
const MET = 10_000;

/** Sign-in without passwords: a link by e-mail, and a session for whoever follows it. */
export class SignIn {
  /** Hashes of sessions that were good when they were looked up last. */
  readonly #met = new Set<string>();

  constructor(private readonly options: SignInOptions) {}

  /**
   * Queues a mail with a link, unless the address has asked for too many. It tells nobody which, nor whether the
   * address is known: it does the same either way. `apiKey` is that of whoever asks, if it is an agent.
   */
  async requestLink(email: string, ip: string | null, apiKey: string | null): Promise<void> {
    const { sql, linkMinutes, emailQueued } = this.options;
    const token = newSecret();
    const tokenHash = hashOf(token);
    const askedKey = apiKey === null ? null : keyHash(apiKey);
    const link = { tokenHash, email, minutes: linkMinutes, ip: isIP(ip ?? '') === 0 ? null : ip, askedKey };
    await transaction(sql, async (tx) => {
      const expiresAt = await queries.insertSignInLink(tx, link);
      if (expiresAt !== undefined) {
        await enqueueEmail(tx, [this.#email(email, token, tokenHash, expiresAt)], { kind: 'sign_in' });
      }
    });
    emailQueued?.();
  }

  /**
   * Uses a link up, which verifies its address, and begins a session; null when the link is no good (any more). Anybody
   * could register with an address that was not verified: the first time the key of its agent ends, unless the link was
   * asked for with that very key. The session makes a new one.
   */
  async follow(token: string): Promise<Followed | null> {
    const { sql, expel } = this.options;
    const tokenHash = secretHash(token);
    if (tokenHash === null) return null;
    const secret = newSecret();
    const followed = await transaction(sql, async (tx) => {
      const link = await queries.useSignInLink(tx, tokenHash);
      if (link === undefined) return null;
      const agent = await queries.verifyEmail(tx, link, randomBytes(32));
      await queries.insertSignInSession(tx, hashOf(secret), link.email);
      if (agent?.ended === true) await auditEndedKey(tx, agent);
      return { expelled: agent?.ended === true ? agent.agent_id : null };
    });
    if (followed === null) return null;
    if (followed.expelled !== null) expel(followed.expelled);
    return { secret, keyEnded: followed.expelled !== null };
  }

  /** Who holds this secret, or null. */
  async session(secret: string): Promise<SignedIn | null> {
    const { sql, admission = sql } = this.options;
    const hash = secretHash(secret);
    const row =
      hash === null ? undefined : await queries.selectSignInSession(this.knows(secret) ? sql : admission, hash);
    this.#remember(hash, row !== undefined);
    if (row === undefined) return null;
    const { email, expires_at: expiresAt, agent_id: agentId, agent_name: agentName, is_platform: isPlatform } = row;
    return { email, expiresAt, agentId, agentName, isPlatform };
  }

  /** Whether the session was good when it was looked up last. */
  knows(secret: string): boolean {
    const hash = secretHash(secret);
    return hash !== null && this.#met.has(hash.toString('latin1'));
  }

  #remember(hash: Buffer | null, good: boolean): void {
    const met = hash?.toString('latin1');
    if (met === undefined) return;
    if (this.#met.size >= MET) this.#met.clear();
    if (good) this.#met.add(met);
    else this.#met.delete(met);
  }

  async end(secret: string): Promise<void> {
    const hash = secretHash(secret);
    if (hash !== null) await queries.deleteSignInSession(this.options.sql, hash);
  }

  #email(email: string, token: string, tokenHash: Buffer, expiresAt: Date): Email {
    const { publicUrl, linkMinutes } = this.options;
    const text = `Follow this link to sign in to Agent Poker:

${publicUrl()}/api/auth/callback#token=${token}

It works once, within ${linkMinutes} minutes. If you did not ask for it, ignore this mail: nothing happens without the link.
`;
    const dedupeKey = `sign-in:${tokenHash.toString('hex')}`;
    return { dedupeKey, to: email, subject: 'Sign in to Agent Poker', text, expiresAt };
  }
}

async function auditEndedKey(tx: Transaction, { agent_id: agentId, wallet_before: wallet }: queries.Verified) {
  const detail = { reason: 'first verification of the address', wallet };
  await recordAudit(tx, { actor: agentId, action: 'key_ended', subject: agentId, detail });
}

function hashOf(secret: string): Buffer {
  const hash = secretHash(secret);
  if (hash === null) throw new Error('a secret of our own making has the wrong form');
  return hash;
}
