import { mailbox } from '../lobby/index.js';
import { admit } from '../email/index.js';
import type { Queryable } from '../store/database.js';

/** A session ends when it was not used for so long, or is so old. */
const IDLE = '30 days';
const OLDEST = '90 days';

export interface NewSignInLink {
  tokenHash: Buffer;
  email: string;
  minutes: number;
  ip: string | null;
  /** Hash of the API key with which it was asked for. */
  askedKey: Buffer | null;
}

/** A link that was used up. */
export interface UsedLink {
  email: string;
  asked_key: Buffer | null;
}

/** Whose address was verified, and whether it was for the first time, for a key that is to end by that. */
export interface Verified {
  agent_id: string;
  ended: boolean;
  wallet_before: string | null;
}

export interface SignInSessionRow {
  email: string;
  expires_at: Date;
  /** Of the agent with this address, if there is one. */
  agent_id: string | null;
  agent_name: string | null;
  /** The agent is the platform's own, and not banned. */
  is_platform: boolean;
}

/**
 * Within a transaction. Its end of validity, or undefined when enough links were sent: to the mailbox, its domain, or
 * all.
 */
export async function insertSignInLink(sql: Queryable, link: NewSignInLink): Promise<Date | undefined> {
  const box = mailbox(link.email);
  const [full] = await admit(sql, { kind: 'sign_in' }, [link.email]);
  if (full !== null) return undefined;
  await sql`delete from sign_in_links where created_at < now() - interval '1 day'`;
  const [row] = await sql<{ expires_at: Date }[]>`
    insert into sign_in_links (token_hash, email, mailbox, requested_ip, asked_key, expires_at)
    values (${link.tokenHash}, ${link.email}, ${box}, ${link.ip}::inet, ${link.askedKey},
      now() + ${link.minutes}::integer * interval '1 minute')
    returning expires_at`;
  return row?.expires_at;
}

/** Uses a link up; undefined when it is unknown, used or too old. */
export async function useSignInLink(sql: Queryable, tokenHash: Buffer): Promise<UsedLink | undefined> {
  const [row] = await sql<UsedLink[]>`
    update sign_in_links set used_at = now()
    where token_hash = ${tokenHash} and used_at is null and expires_at > now()
    returning email, asked_key`;
  return row;
}

/**
 * Whoever reads an address's mail has shown that it is theirs. Who registered with it before may have been somebody
 * else: the first time the agent's key gives way to `nobodysKey`, and its wallet goes, unless the link was asked for
 * with that key.
 */
export async function verifyEmail(
  sql: Queryable,
  { email, asked_key: askedKey }: UsedLink,
  nobodysKey: Buffer,
): Promise<Verified | undefined> {
  const [row] = await sql<Verified[]>`
    with before as (
      select agent_id, wallet_address, email_verified_at is null and key_hash is distinct from ${askedKey} as ended
      from agents where lower(email) = lower(${email}) and not is_house for update
    )
    update agents a set email_verified_at = coalesce(email_verified_at, now()),
      key_hash = case when ended then ${nobodysKey} else key_hash end,
      wallet_address = case when ended then null else a.wallet_address end
    from before b where a.agent_id = b.agent_id
    returning a.agent_id, ended, b.wallet_address as wallet_before`;
  return row;
}

export async function insertSignInSession(sql: Queryable, sessionHash: Buffer, email: string): Promise<void> {
  await sql`delete from sign_in_sessions where last_seen_at < now() - ${IDLE}::interval`;
  await sql`insert into sign_in_sessions (session_hash, email) values (${sessionHash}, ${email})`;
}

/** A session that lives. To ask for it is to use it; that is written down once an hour. */
export async function selectSignInSession(sql: Queryable, sessionHash: Buffer): Promise<SignInSessionRow | undefined> {
  const [row] = await sql<(SignInSessionRow & { stale: boolean })[]>`
    select s.email, a.agent_id, a.name as agent_name,
      coalesce(a.is_platform and a.banned_at is null, false) as is_platform, last_seen_at < now() - interval '1 hour' as stale,
      least(last_seen_at + ${IDLE}::interval, s.created_at + ${OLDEST}::interval) as expires_at
    from sign_in_sessions s left join agents a on lower(a.email) = lower(s.email)
    where session_hash = ${sessionHash} and last_seen_at > now() - ${IDLE}::interval
      and s.created_at > now() - ${OLDEST}::interval`;
  if (row === undefined) return undefined;
  if (row.stale) await sql`update sign_in_sessions set last_seen_at = now() where session_hash = ${sessionHash}`;
  return row;
}

export async function deleteSignInSession(sql: Queryable, sessionHash: Buffer): Promise<void> {
  await sql`delete from sign_in_sessions where session_hash = ${sessionHash}`;
}
