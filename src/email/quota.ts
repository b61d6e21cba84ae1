import { mailbox } from '../lobby/index.js';
import type { Queryable } from '../store/database.js';

/** What people have sent at will, and so might send to others to annoy them. */
export type EmailKind = 'sign_in' | 'wallet' | 'invitation';

/** What a limit counts: mails to a mailbox (without case and +tag), to its domain, of a sender, or all of the kind. */
export type Counted = 'mailbox' | 'domain' | 'sender' | 'all';

export interface EmailRequest {
  kind: EmailKind;
  /** Of whoever has them sent, where that is somebody's id. */
  sender?: string;
}

const HOUR = 60;
const DAY = 24 * HOUR;
const LIMITS: Readonly<Record<EmailKind, readonly { of: Counted; most: number; minutes: number }[]>> = {
  sign_in: [
    { of: 'mailbox', most: 3, minutes: 15 },
    { of: 'mailbox', most: 10, minutes: DAY },
    { of: 'domain', most: 300, minutes: HOUR },
    { of: 'all', most: 2000, minutes: HOUR },
  ],
  wallet: [{ of: 'mailbox', most: 5, minutes: DAY }],
  invitation: [
    { of: 'sender', most: 500, minutes: DAY },
    { of: 'mailbox', most: 10, minutes: DAY },
  ],
};

/**
 * Which of the addresses may be written to now: null, or what there are too many of. Part of the transaction that then
 * queues the mails with the same `asked`: from here to its end nobody else is counted for the kind, so that each counts
 * those before it.
 */
export async function admit(
  tx: Queryable,
  { kind, sender }: EmailRequest,
  addresses: readonly string[],
): Promise<(Counted | null)[]> {
  await tx`select pg_advisory_xact_lock(7082, hashtext(${kind}))`;
  const keyOf = (of: Counted, address: string): string => {
    const box = mailbox(address);
    return { mailbox: box, domain: box.slice(box.lastIndexOf('@') + 1), sender: sender ?? '', all: '' }[of];
  };
  const limits: { of: Counted; most: number; counts: Map<string, number> }[] = [];
  for (const limit of LIMITS[kind]) {
    const keys = [...new Set(addresses.map((address) => keyOf(limit.of, address)))];
    limits.push({ ...limit, counts: await count(tx, { kind, ...limit, keys }) });
  }
  return addresses.map((address) => {
    const full = limits.find(({ of, most, counts }) => (counts.get(keyOf(of, address)) ?? 0) >= most);
    if (full !== undefined) return full.of;
    for (const { of, counts } of limits) counts.set(keyOf(of, address), (counts.get(keyOf(of, address)) ?? 0) + 1);
    return null;
  });
}

async function count(
  tx: Queryable,
  { kind, of, minutes, keys }: { kind: EmailKind; of: Counted; minutes: number; keys: readonly string[] },
): Promise<Map<string, number>> {
  const key = {
    mailbox: tx`mailbox`,
    domain: tx`split_part(mailbox, '@', -1)`,
    sender: tx`sender::text`,
    all: tx`''`,
  }[of];
  // Its own index finds a mailbox, or a sender, without a look at all mails of the kind.
  const indexed = {
    mailbox: tx`and mailbox = any(${keys as string[]}::text[])`,
    domain: tx``,
    sender: tx`and sender = any(${keys as string[]}::uuid[])`,
    all: tx``,
  }[of];
  const rows = await tx<{ key: string; sent: number }[]>`
    select ${key} as key, count(*) as sent from mail_outbox
    where kind = ${kind} and created_at > now() - ${minutes} * interval '1 minute' ${indexed} group by 1`;
  return new Map(rows.map(({ key, sent }) => [key, sent]));
}
