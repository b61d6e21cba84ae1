import { mailbox } from '../lobby/index.js';
import type { Queryable } from '../store/database.js';
import type { Leadership } from '../store/node/leadership.js';
import { askerOf, type EmailRequest } from './quota.js';

/** A plain text mail to one person. */
export interface Email {
  /** Names what the mail is about, such as `final:SEASON:AGENT`: only the first mail of a key is ever sent. */
  dedupeKey: string;
  to: string;
  subject: string;
  text: string;
  /** Not sent later than this. The text of such a mail counts as a secret: the outbox forgets it once it is done with. */
  expiresAt?: Date;
}

/**
 * Queues mails as part of the caller's transaction: they are sent if that commits, and only then. With `asked` they
 * count for its quota, which `EmailQuota.admit` is asked for before.
 */
export async function enqueueEmail(sql: Queryable, emails: readonly Email[], asked?: EmailRequest): Promise<void> {
  if (emails.length === 0) return;
  const column = <T>(of: (email: Email) => T) => emails.map(of);
  const expiries = column((email) => email.expiresAt?.toISOString() ?? null);
  await sql`
    insert into mail_outbox (dedupe_key, recipient, subject, body, expires_at, mailbox, kind, sender, asker, known)
    select *, ${asked?.kind ?? null}, ${asked?.sender ?? null}::uuid, ${asked === undefined ? null : askerOf(asked)},
      ${asked?.known !== undefined}::boolean from unnest(${column((email) => email.dedupeKey)}::text[], ${column((email) => email.to)}::text[],
      ${column((email) => email.subject)}::text[], ${column((email) => email.text)}::text[], ${expiries}::timestamptz[],
      ${column((email) => mailbox(email.to))}::text[])
    on conflict (dedupe_key) do nothing`;
}

/** A mail that this process has claimed. */
export interface ClaimedEmail {
  mail_id: number;
  dedupe_key: string;
  recipient: string;
  subject: string;
  body: string;
  /** This attempt included. */
  attempts: number;
}

/**
 * Up to `limit` mails that are due, the longest due first, held for `leaseMs`: if this process dies with them, they are
 * due again then. `holding` are those it works on already. Mails whose time is over are given up on the way. Only the
 * leader's: throws Displaced.
 */
export async function claimEmails(
  sql: Queryable,
  leadership: Leadership,
  { limit, leaseMs, holding }: { limit: number; leaseMs: number; holding: readonly number[] },
): Promise<ClaimedEmail[]> {
  const leads = leadership.required(sql);
  return leadership.guarded(sql<ClaimedEmail[]>`
    with expired as (
      update mail_outbox set status = 'given_up', body = '', last_error = coalesce(last_error, '') || ' (expired)'
      where status = 'waiting' and expires_at <= now() and mail_id <> all(${holding as number[]}::bigint[]) and ${leads}
    ), due as (
      select mail_id from mail_outbox
      where status = 'waiting' and due_at <= now() and (expires_at is null or expires_at > now())
        and mail_id <> all(${holding as number[]}::bigint[])
      order by due_at limit ${limit} for update skip locked
    )
    update mail_outbox m set attempts = attempts + 1, due_at = now() + ${leaseMs}::float8 * interval '1 ms'
    from due where m.mail_id = due.mail_id and ${leads}
    returning m.mail_id, dedupe_key, recipient, subject, body, attempts`);
}

/** The server took it. */
export async function markSent(sql: Queryable, mailId: number): Promise<void> {
  await sql`
    update mail_outbox set status = 'sent', sent_at = now(), last_error = null,
      body = case when expires_at is null then body else '' end
    where mail_id = ${mailId} and status <> 'sent'`;
}

/** Not now: due again after `pauseMs`, or given up once the mail is older than `maxAgeMs`. True: given up. */
export async function postponeEmail(
  sql: Queryable,
  mailId: number,
  { error, pauseMs, maxAgeMs }: { error: string; pauseMs: number; maxAgeMs: number },
): Promise<boolean> {
  const [row] = await sql<{ given_up: boolean }[]>`
    update mail_outbox set due_at = now() + ${pauseMs}::float8 * interval '1 ms', last_error = ${error},
      status = case when created_at <= now() - ${maxAgeMs}::float8 * interval '1 ms' then 'given_up' else status end
    where mail_id = ${mailId} and status = 'waiting'
    returning status = 'given_up' as given_up`;
  return row?.given_up ?? false;
}

/** Never: the mail itself was refused for good. */
export async function giveUpEmail(sql: Queryable, mailId: number, error: string): Promise<void> {
  await sql`
    update mail_outbox set status = 'given_up', last_error = ${error},
      body = case when expires_at is null then body else '' end
    where mail_id = ${mailId} and status = 'waiting'`;
}

export async function countWaiting(sql: Queryable): Promise<number> {
  const [row] = await sql<{ waiting: number }[]>`select count(*) as waiting from mail_outbox where status = 'waiting'`;
  return row?.waiting ?? 0;
}

/** Forgets mails with an expiry that are over for a day; the others stay, since their keys prevent second ones. */
export async function sweepEmails(sql: Queryable): Promise<void> {
  await sql`
    delete from mail_outbox where status <> 'waiting' and expires_at < now() - interval '1 day'`;
}
