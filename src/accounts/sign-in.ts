import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { endWalletChanges } from '../credits/index.js';
import { EmailQuota, enqueueEmail, type Email, type EmailRequest, type Full } from '../email/index.js';
import { mailbox } from '../lobby/index.js';
import { recordAudit } from '../store/audit-log.js';
import { transaction, type Database, type Transaction } from '../store/database.js';
import type { KeyHolder } from './accounts.js';
import { newSecret, secretHash } from '../store/secrets.js';
import * as queries from './sign-in-queries.js';
import { PAGE_PATHS } from '../protocol/page-paths.js';

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
  quota?: EmailQuota;
  /** Called with an agent after the end of its key, and the time. Resolves once no node accepts the key. */
  keyEnded: (agentId: string, at: Date) => Promise<void>;
}

/** Somebody who has shown that an address is theirs. */
export interface SignedIn {
  email: string;
  /** When it ends, if it is not used before. */
  expiresAt: Date;
  /** The agent with the address, if there is one. */
  agentId: string | null;
  agentName: string | null;
  /** That agent is the platform's own: who signs in as it is an operator. */
  isPlatform: boolean;
}

/** The requester of a link. */
export interface LinkAsker {
  /** Address of the network; null when it is not known. */
  ip: string | null;
  /** The agent of the sent key. */
  agent: Pick<KeyHolder, 'agentId' | 'name' | 'email' | 'emailVerified'> | null;
  /** The secret of a browser that has signed in before. */
  browser: string | null;
}

/** The result of a link. */
export interface Followed {
  /** The secret of the session that begins. */
  secret: string;
  /** The secret by which the browser is known from now on. */
  browser: string;
  /** The key that the agent of the address had is dead: see `follow`. */
  keyEnded: boolean;
}

/** Sessions that are remembered as met. */
const MET = 10_000;

/** Sign-in without passwords: a link by e-mail, and a session for whoever follows it. */
export class SignIn {
  /** Hashes of sessions that were good when they were looked up last. */
  readonly #met = new Set<string>();
  readonly #quota: EmailQuota;

  constructor(private readonly options: SignInOptions) {
    this.#quota = options.quota ?? new EmailQuota();
  }

  /**
   * Queues a mail with a link: null, or which quota is full. It does the same for every address, so that it tells
   * nobody which of them is known.
   */
  async requestLink(email: string, asker: LinkAsker): Promise<Full | null> {
    const { sql, linkMinutes, emailQueued } = this.options;
    const token = newSecret();
    const tokenHash = hashOf(token);
    const { ip, agent } = asker;
    const link = { tokenHash, email, minutes: linkMinutes, ip: isIP(ip ?? '') === 0 ? null : ip };
    const full = await transaction(sql, async (tx) => {
      const asked: EmailRequest = { kind: 'sign_in', ip, ...(await this.#known(tx, email, asker)) };
      const [full = null] = await this.#quota.admit(tx, asked, [email]);
      if (full !== null) return full;
      const expiresAt = await queries.insertSignInLink(tx, link);
      await enqueueEmail(tx, [this.#email(email, { token, tokenHash, expiresAt, agent })], asked);
      return null;
    });
    if (full === null) emailQueued?.();
    return full;
  }

  /** A mailbox has a quota of its own once an agent's address there is proven, or a browser has signed in to it. */
  async #known(tx: Transaction, email: string, { agent, browser }: LinkAsker): Promise<Pick<EmailRequest, 'known'>> {
    if (agent?.emailVerified === true && mailbox(agent.email) === mailbox(email)) {
      return { known: `agent ${agent.agentId}` };
    }
    const hash = browser === null ? null : secretHash(browser);
    if (hash === null || !(await queries.isKnownBrowser(tx, hash, email))) return {};
    return { known: `browser ${hash.toString('hex')}` };
  }

  /**
   * Uses a link up, which verifies its address, and begins a session; null when the link is no good (any more). Anybody
   * could register with an address that was not verified: the first time the key of its agent ends. The session makes a
   * new one. `browser` is the secret that the browser carries already, which is kept where we have given it.
   */
  async follow(token: string, browser: string | null): Promise<Followed | null> {
    const { sql, keyEnded } = this.options;
    const tokenHash = secretHash(token);
    if (tokenHash === null) return null;
    const secret = newSecret();
    const followed = await transaction(sql, async (tx) => {
      const link = await queries.useSignInLink(tx, tokenHash);
      if (link === undefined) return null;
      const agent = await queries.verifyEmail(tx, link.email, randomBytes(32));
      await queries.insertSignInSession(tx, hashOf(secret), link.email);
      const carried = browser === null ? null : secretHash(browser);
      const kept = carried !== null && (await queries.hasBrowser(tx, carried)) ? browser! : newSecret();
      await queries.insertKnownBrowser(tx, hashOf(kept), link.email);
      if (agent?.ended === true) {
        await auditEndedKey(tx, agent);
        await endWalletChanges(tx, agent.agent_id);
      }
      return { ended: agent?.ended === true ? agent : null, kept };
    });
    if (followed === null) return null;
    const { ended, kept } = followed;
    if (ended !== null && ended.ended_at !== null) await keyEnded(ended.agent_id, ended.ended_at);
    return { secret, browser: kept, keyEnded: ended !== null };
  }

  /** The holder of this secret, or null. */
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

  #email(
    email: string,
    {
      token,
      tokenHash,
      expiresAt,
      agent,
    }: Pick<LinkAsker, 'agent'> & { token: string; tokenHash: Buffer; expiresAt: Date },
  ): Email {
    const { publicUrl, linkMinutes } = this.options;
    const by =
      agent === null ? '' : `\nThe agent ${agent.name} asked for this link with its API key.${endsKey(agent)}\n`;
    const text = `Follow this link to sign in to Agent Poker:

${publicUrl()}${PAGE_PATHS.signInLink}#token=${token}
${by}
It works once, within ${linkMinutes} minutes. If you did not ask for it, ignore this mail: nothing happens without the link.
`;
    const dedupeKey = `sign-in:${tokenHash.toString('hex')}`;
    return { dedupeKey, to: email, subject: 'Sign in to Agent Poker', text, expiresAt };
  }
}

/** A key that was made before its address was proven ends when the link is followed. */
const endsKey = ({ emailVerified }: NonNullable<LinkAsker['agent']>) =>
  emailVerified
    ? ''
    : ' The address of this agent is not verified yet. If the address is yours, the link ends that key, and you make a new key.';

async function auditEndedKey(tx: Transaction, { agent_id: agentId, wallet_before: wallet }: queries.Verified) {
  const detail = { reason: 'first verification of the address', wallet };
  await recordAudit(tx, { actor: agentId, action: 'key_ended', subject: agentId, detail });
}

function hashOf(secret: string): Buffer {
  const hash = secretHash(secret);
  if (hash === null) throw new Error('a secret of our own making has the wrong form');
  return hash;
}
