import { mailbox } from '../lobby/index.js';
import type { Queryable } from '../store/database.js';
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

export { EmailQuota, retryAfter, type EmailRequest, type Full } from './quota.js';
export { logTransport, smtpTransport, type EmailTransport } from './transport.js';
export { EmailSender, type EmailSenderOptions } from './sender.js';
