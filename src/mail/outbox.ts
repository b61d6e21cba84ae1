import type { Queryable } from '../store/database.js';

/** A plain text mail to one person. */
export interface Mail {
  /** Names what the mail is about, such as `final:SEASON:AGENT`: only the first mail of a key is ever sent. */
  dedupeKey: string;
  to: string;
  subject: string;
  text: string;
  /** Not sent later than this. The text of such a mail counts as a secret: the outbox forgets it once it is done with. */
  expiresAt?: Date;
}

/** Queues mails as part of the caller's transaction: they are sent if that commits, and only then. */
export async function enqueueMail(sql: Queryable, mails: readonly Mail[]): Promise<void> {
  if (mails.length === 0) return;
  const column = <T>(of: (mail: Mail) => T) => mails.map(of);
  const expiries = column((mail) => mail.expiresAt?.toISOString() ?? null);
  await sql`
    insert into mail_outbox (dedupe_key, recipient, subject, body, expires_at)
    select * from unnest(${column((mail) => mail.dedupeKey)}::text[], ${column((mail) => mail.to)}::text[],
      ${column((mail) => mail.subject)}::text[], ${column((mail) => mail.text)}::text[], ${expiries}::timestamptz[])
    on conflict (dedupe_key) do nothing`;
}
