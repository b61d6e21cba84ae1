import type { Queryable } from '../store/database.js';

/** A plain text mail to one person. */
export interface Mail {
  /** Names what the mail is about, such as `final:SEASON:AGENT`: only the first mail of a key is ever sent. */
  dedupeKey: string;
  to: string;
  subject: string;
  text: string;
}

/** Queues mails as part of the caller's transaction: they are sent if that commits, and only then. */
export async function enqueueMail(sql: Queryable, mails: readonly Mail[]): Promise<void> {
  if (mails.length === 0) return;
  const column = (of: (mail: Mail) => string) => mails.map(of);
  await sql`
    insert into mail_outbox (dedupe_key, recipient, subject, body)
    select * from unnest(${column((mail) => mail.dedupeKey)}::text[], ${column((mail) => mail.to)}::text[],
      ${column((mail) => mail.subject)}::text[], ${column((mail) => mail.text)}::text[])
    on conflict (dedupe_key) do nothing`;
}
