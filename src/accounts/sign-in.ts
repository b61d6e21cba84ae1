import { isIP } from 'node:net';
import { enqueueMail, type Mail } from '../mail/index.js';
import { transaction, type Database } from '../store/database.js';
import { newSecret, secretHash } from './secrets.js';
import * as queries from './sign-in-queries.js';

export interface SignInOptions {
  sql: Database;
  /** Our address as people reach it, without a slash at the end; asked when a link is written. */
  publicUrl: () => string;
  /** How long a link is good for. */
  linkMinutes: number;
  /** There is a mail to be sent. */
  mailed?: () => void;
}

/** Somebody who has shown that an address is theirs. */
export interface SignedIn {
  email: string;
  /** When it ends, if it is not used before. */
  expiresAt: Date;
  /** Who is registered with the address, if anybody. */
  agentId: string | null;
}

/** Sign-in without passwords: a link by e-mail, and a session for whoever follows it. */
export class SignIn {
  constructor(private readonly options: SignInOptions) {}

  /**
   * Queues a mail with a link, unless the address has asked for too many. It tells nobody which, nor whether the address
   * is known: it does the same either way.
   */
  async requestLink(email: string, ip: string | null): Promise<void> {
    const { sql, linkMinutes, mailed } = this.options;
    const token = newSecret();
    const tokenHash = hashOf(token);
    const link = { tokenHash, email, minutes: linkMinutes, ip: isIP(ip ?? '') === 0 ? null : ip };
    await transaction(sql, async (tx) => {
      const expiresAt = await queries.insertLink(tx, link);
      if (expiresAt !== undefined) await enqueueMail(tx, [this.#mail(email, token, tokenHash, expiresAt)]);
    });
    mailed?.();
  }

  /**
   * Uses a link up, which verifies its address, and begins a session. The secret of the session, or null when the link
   * is no good (any more).
   */
  async follow(token: string): Promise<string | null> {
    const tokenHash = secretHash(token);
    if (tokenHash === null) return null;
    const session = newSecret();
    return transaction(this.options.sql, async (tx) => {
      const email = await queries.useLink(tx, tokenHash);
      if (email === undefined) return null;
      await queries.verifyEmail(tx, email);
      await queries.insertSession(tx, hashOf(session), email);
      return session;
    });
  }

  /** Who holds this secret, or null. */
  async session(secret: string): Promise<SignedIn | null> {
    const hash = secretHash(secret);
    const row = hash === null ? undefined : await queries.selectSession(this.options.sql, hash);
    return row === undefined ? null : { email: row.email, expiresAt: row.expires_at, agentId: row.agent_id };
  }

  async end(secret: string): Promise<void> {
    const hash = secretHash(secret);
    if (hash !== null) await queries.deleteSession(this.options.sql, hash);
  }

  #mail(email: string, token: string, tokenHash: Buffer, expiresAt: Date): Mail {
    const { publicUrl, linkMinutes } = this.options;
    const text = `Follow this link to sign in to Agent Poker:

${publicUrl()}/api/auth/callback?token=${token}

It works once, within ${linkMinutes} minutes. If you did not ask for it, ignore this mail: nothing happens without the link.
`;
    const dedupeKey = `sign-in:${tokenHash.toString('hex')}`;
    return { dedupeKey, to: email, subject: 'Sign in to Agent Poker', text, expiresAt };
  }
}

function hashOf(secret: string): Buffer {
  const hash = secretHash(secret);
  if (hash === null) throw new Error('a secret of our own making has the wrong form');
  return hash;
}
