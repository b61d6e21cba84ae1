import { mailbox } from '../lobby/index.js';
import type { Queryable } from '../store/database.js';

/** A session ends when it was not used for so long, or is so old. */
const IDLE = '30 days';
const OLDEST = '90 days';
/** A browser is forgotten that has not signed in for so long. */
const BROWSER_IDLE = '400 days';

export interface NewSignInLink {
  tokenHash: Buffer;
  email: string;
  minutes: number;
  ip: string | null;
}

/** The agent with the verified address. A first verification ends the key. */
export interface Verified {
  agent_id: string;
  ended: boolean;
  /** When it did; null where it goes on. */
  ended_at: Date | null;
  wallet_before: string | null;
}

export interface SignInSessionRow {
  email: string;
  expires_at: Date;
  /** The agent with this address, if there is one. */
  agent_id: string | null;
  agent_name: string | null;
  /** The agent is the platform's own, and not banned. */
  is_platform: boolean;
}

/** Within a transaction. Its end of validity. */
export async function insertSignInLink(sql: Queryable, link: NewSignInLink): Promise<Date> {
  await sql`delete from sign_in_links where created_at < now() - interval '1 day'`;
  const [row] = await sql<{ expires_at: Date }[]>`
    insert into sign_in_links (token_hash, email, mailbox, requested_ip, expires_at)
    values (${link.tokenHash}, ${link.email}, ${mailbox(link.email)}, ${link.ip}::inet,
      now() + ${link.minutes}::integer * interval '1 minute')
    returning expires_at`;
  if (row === undefined) throw new Error('an insert returned no row');
  return row.expires_at;
}

/** Uses a link up; undefined when it is unknown, used or too old. */
export async function useSignInLink(sql: Queryable, tokenHash: Buffer): Promise<{ email: string } | undefined> {
  const [row] = await sql<{ email: string }[]>`
    update sign_in_links set used_at = now()
    where token_hash = ${tokenHash} and used_at is null and expires_at > now()
    returning email`;
  return row;
}

/** Whether this browser has signed in to the mailbox before. */
export async function isKnownBrowser(sql: Queryable, browserHash: Buffer, email: string): Promise<boolean> {
  const rows = await sql`
    select 1 from known_browsers where browser_hash = ${browserHash} and mailbox = ${mailbox(email)}`;
  return rows.length > 0;
}

/** Whether a browser carries this secret by our doing, whatever it signed in to. */
export async function hasBrowser(sql: Queryable, browserHash: Buffer): Promise<boolean> {
  return (await sql`select 1 from known_browsers where browser_hash = ${browserHash} limit 1`).length > 0;
}

/** The browser has signed in to the mailbox. */
export async function insertKnownBrowser(sql: Queryable, browserHash: Buffer, email: string): Promise<void> {
  await sql`delete from known_browsers where last_seen_at < now() - ${BROWSER_IDLE}::interval`;
  await sql`
    insert into known_browsers (browser_hash, mailbox) values (${browserHash}, ${mailbox(email)})
    on conflict (browser_hash, mailbox) do update set last_seen_at = now()`;
}

/**
 * A person who reads an address's mail has shown that the address is theirs. The agent may have been registered with it
 * by somebody else: the first time its key gives way to `nobodysKey`, and its wallet goes.
 */
export async function verifyEmail(sql: Queryable, email: string, nobodysKey: Buffer): Promise<Verified | undefined> {
  const [row] = await sql<Verified[]>`
    with before as (
      select agent_id, wallet_address, email_verified_at is null as ended
      from agents where lower(email) = lower(${email}) and not is_house for update
    )
    update agents a set email_verified_at = coalesce(email_verified_at, now()),
      key_hash = case when ended then ${nobodysKey} else key_hash end,
      key_reset_at = case when ended then clock_timestamp() else key_reset_at end,
      wallet_address = case when ended then null else a.wallet_address end
    from before b where a.agent_id = b.agent_id
    returning a.agent_id, ended, case when ended then a.key_reset_at end as ended_at, b.wallet_address as wallet_before`;
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
