import type { Queryable } from '../store/database.js';

/** How many links a mailbox may be sent, whatever +tags its address is given: it is nobody's to flood. */
const LINKS_PER_QUARTER_HOUR = 3;
const LINKS_PER_DAY = 10;

/** A session ends when it was not used for so long, or is so old. */
const IDLE = '30 days';
const OLDEST = '90 days';

export interface NewLink {
  tokenHash: Buffer;
  email: string;
  minutes: number;
  ip: string | null;
}

export interface SessionRow {
  email: string;
  expires_at: Date;
  /** Of the agent with this address, if there is one. */
  agent_id: string | null;
}

/** Within a transaction. Its end of validity, or undefined when the mailbox was sent enough. */
export async function insertLink(sql: Queryable, link: NewLink): Promise<Date | undefined> {
  const mailbox = link.email.toLowerCase().replace(/\+[^@]*/, '');
  // Requests for one mailbox wait for each other, so that each counts the ones before.
  await sql`select pg_advisory_xact_lock(7081, hashtext(${mailbox}))`;
  await sql`delete from sign_in_links where created_at < now() - interval '1 day'`;
  const [row] = await sql<{ expires_at: Date }[]>`
    insert into sign_in_links (token_hash, email, requested_ip, expires_at)
    select ${link.tokenHash}, ${link.email}, ${link.ip}::inet, now() + ${link.minutes}::integer * interval '1 minute'
    from (
      select count(*) filter (where created_at > now() - interval '15 minutes') as lately, count(*) as today
      from sign_in_links where regexp_replace(lower(email), '\\+[^@]*', '') = ${mailbox}
    ) asked
    where lately < ${LINKS_PER_QUARTER_HOUR} and today < ${LINKS_PER_DAY}
    returning expires_at`;
  return row?.expires_at;
}

/** Uses a link up; its address, or undefined when it is unknown, used or too old. */
export async function useLink(sql: Queryable, tokenHash: Buffer): Promise<string | undefined> {
  const [row] = await sql<{ email: string }[]>`
    update sign_in_links set used_at = now()
    where token_hash = ${tokenHash} and used_at is null and expires_at > now()
    returning email`;
  return row?.email;
}

/** Whoever reads an address's mail has shown that it is theirs. */
export async function verifyEmail(sql: Queryable, email: string): Promise<boolean> {
  const rows = await sql`
    update agents set email_verified_at = coalesce(email_verified_at, now())
    where lower(email) = lower(${email}) and not is_house
    returning agent_id`;
  return rows.length > 0;
}

export async function insertSession(sql: Queryable, sessionHash: Buffer, email: string): Promise<void> {
  await sql`delete from sign_in_sessions where last_seen_at < now() - ${IDLE}::interval`;
  await sql`insert into sign_in_sessions (session_hash, email) values (${sessionHash}, ${email})`;
}

/** A session that lives. To ask for it is to use it; that is written down once an hour. */
export async function selectSession(sql: Queryable, sessionHash: Buffer): Promise<SessionRow | undefined> {
  const [row] = await sql<(SessionRow & { stale: boolean })[]>`
    select s.email, a.agent_id, last_seen_at < now() - interval '1 hour' as stale,
      least(last_seen_at + ${IDLE}::interval, s.created_at + ${OLDEST}::interval) as expires_at
    from sign_in_sessions s left join agents a on lower(a.email) = lower(s.email)
    where session_hash = ${sessionHash} and last_seen_at > now() - ${IDLE}::interval
      and s.created_at > now() - ${OLDEST}::interval`;
  if (row === undefined) return undefined;
  if (row.stale) await sql`update sign_in_sessions set last_seen_at = now() where session_hash = ${sessionHash}`;
  return row;
}

export async function deleteSession(sql: Queryable, sessionHash: Buffer): Promise<void> {
  await sql`delete from sign_in_sessions where session_hash = ${sessionHash}`;
}
