import { ipLimitKey } from '../gateway/ip.js';
import { mailbox } from '../lobby/index.js';
import type { Logger } from '../ops/log.js';
import type { Queryable } from '../store/database.js';

/** The kinds of mail that a user can cause at will, and could use to annoy others. */
export type EmailKind = 'sign_in' | 'wallet' | 'invitation';

/** The keys of a limit: mails to a mailbox (without case and +tag), to its domain, of a sender, or all of the kind. */
export type Counted = 'mailbox' | 'domain' | 'sender' | 'all';

export interface EmailRequest {
  kind: EmailKind;
  /** Address of the network that the request came from; null when it is not known. */
  ip: string | null;
  /** An agent or a browser that has shown the mailbox to be its own. It has a share that strangers cannot use up. */
  known?: string;
  /** The organizer of the mail. */
  sender?: string;
}

/** Why a mail is not sent. */
export interface Full {
  of: Counted;
  /** The asker has had its own part; else all askers together have had theirs. */
  own: boolean;
  /** How long the limit counts back. */
  minutes: number;
}

interface Limit {
  of: Counted;
  minutes: number;
  /** The limit of all strangers together. */
  most: number;
  /** The limit of one asker. */
  each: number;
}

/** The headers of a refusal. A daily limit frees a place now and then, so that nobody waits a day. */
export const retryAfter = ({ minutes }: Full) => ({ 'retry-after': String(60 * Math.min(minutes, HOUR)) });

const HOUR = 60;
const DAY = 24 * HOUR;
/** One asker has a tenth of what a domain, or everybody, is sent. */
const wide = (of: 'domain' | 'all', minutes: number, most: number): Limit => ({ of, minutes, most, each: most / 10 });

const STRANGERS: Readonly<Record<EmailKind, readonly Limit[]>> = {
  sign_in: [
    { of: 'mailbox', minutes: 15, most: 10, each: 3 },
    { of: 'mailbox', minutes: DAY, most: 30, each: 10 },
    wide('domain', HOUR, 300),
    wide('all', HOUR, 2000),
  ],
  wallet: [{ of: 'mailbox', minutes: DAY, most: 10, each: 5 }, wide('domain', HOUR, 300), wide('all', HOUR, 2000)],
  invitation: [
    { of: 'sender', minutes: DAY, most: 500, each: 500 },
    { of: 'mailbox', minutes: DAY, most: 10, each: 10 },
    wide('domain', DAY, 5000),
    wide('all', DAY, 20_000),
  ],
};

/** The limits of each agent and browser that has proven the mailbox. */
const KNOWN: Readonly<Record<EmailKind, readonly Limit[]>> = {
  sign_in: [
    { of: 'mailbox', minutes: 15, most: 3, each: 3 },
    { of: 'mailbox', minutes: DAY, most: 10, each: 10 },
  ],
  wallet: [{ of: 'mailbox', minutes: DAY, most: 5, each: 5 }],
  invitation: [],
};

/** Mails of a limit to one key, within the time that it counts back. */
interface Sent {
  all: number;
  /** The asker's own count. */
  own: number;
  askers: number;
}

const LOG_EVERY_MS = 60_000;

/** How many mails people may have sent at will: the asker pays first, and a full quota is logged and counted. */
export class EmailQuota {
  /** The number of refused mails, by kind of mail and owner of the quota. */
  readonly refused = new Map<string, number>();
  readonly #logged = new Map<string, number>();

  constructor(private readonly log: Pick<Logger, 'warn'> | null = null) {}

  /**
   * Which of the addresses may be written to now: null, or what is full. Part of the transaction that then queues the
   * mails with the same `asked`: from here to its end nobody else is counted for the kind.
   */
  async admit(tx: Queryable, asked: EmailRequest, addresses: readonly string[]): Promise<(Full | null)[]> {
    const { kind, known } = asked;
    const limits = known === undefined ? STRANGERS[kind] : KNOWN[kind];
    await tx`select pg_advisory_xact_lock(7082, hashtext(${kind}))`;
    const counted = await count(tx, asked, limits, addresses);
    const full = addresses.map((address) => {
      const sent = limits.map((limit, n) => ({ limit, sent: sentTo(counted[n]!, keyOf(limit.of, address, asked)) }));
      for (const each of sent) {
        const whose = fullness(each.limit, each.sent);
        if (whose !== null) return { of: each.limit.of, own: whose === 'own', minutes: each.limit.minutes };
      }
      for (const { sent: so } of sent) {
        if (so.own === 0) so.askers++;
        so.own++;
        so.all++;
      }
      return null;
    });
    for (const each of full) if (each !== null) this.#note(kind, each);
    return full;
  }

  #note(kind: EmailKind, { of, own, minutes }: Full): void {
    const key = `${kind} ${of} ${own ? 'asker' : 'everybody'}`;
    this.refused.set(key, (this.refused.get(key) ?? 0) + 1);
    const now = performance.now();
    if (now - (this.#logged.get(key) ?? -Infinity) < LOG_EVERY_MS) return;
    this.#logged.set(key, now);
    const share = own ? 'asker' : 'everybody';
    this.log?.warn({ kind, of, share, minutes }, 'a quota of mails is full: requests are refused');
  }
}

/**
 * Returns the key with a full limit, if any. While all askers together have used the whole, an asker still has its fair
 * part: the whole divided by the askers. So a quota is closed to newcomers only by as many networks as it has mails.
 */
export function fullness(
  { most, each }: Pick<Limit, 'most' | 'each'>,
  sent: Readonly<Sent>,
): 'own' | 'everybody' | null {
  if (sent.own >= each) return 'own';
  if (sent.all < most) return null;
  const askers = sent.askers + (sent.own === 0 ? 1 : 0);
  return sent.own < Math.floor(most / askers) ? null : 'everybody';
}

/** By what a mail is counted. */
export const askerOf = ({ ip, known }: Pick<EmailRequest, 'ip' | 'known'>) =>
  known ?? (ip === null ? 'unknown' : ipLimitKey(ip));

function keyOf(of: Counted, address: string, { sender }: EmailRequest): string {
  const box = mailbox(address);
  return { mailbox: box, domain: box.slice(box.lastIndexOf('@') + 1), sender: sender ?? '', all: '' }[of];
}

function sentTo(counts: Map<string, Sent>, key: string): Sent {
  const sent = counts.get(key) ?? { all: 0, own: 0, askers: 0 };
  counts.set(key, sent);
  return sent;
}

/** The present counts of the limits, by key. */
async function count(
  tx: Queryable,
  asked: EmailRequest,
  limits: readonly Limit[],
  addresses: readonly string[],
): Promise<Map<string, Sent>[]> {
  const parts = limits.map((limit, n) => {
    const keys = [...new Set(addresses.map((address) => keyOf(limit.of, address, asked)))];
    return countOf(tx, asked, limit, { n, keys });
  });
  const counted = limits.map(() => new Map<string, Sent>());
  if (parts.length === 0) return counted;
  const rows = await tx<({ n: number; key: string } & Sent)[]>`
    ${parts.reduce((before, part) => tx`${before} union all ${part}`)}`;
  for (const { n, key, ...sent } of rows) counted[n]!.set(key, sent);
  return counted;
}

function countOf(
  tx: Queryable,
  asked: EmailRequest,
  { of, minutes }: Limit,
  { n, keys }: { n: number; keys: readonly string[] },
) {
  const { kind, known } = asked;
  const key = {
    mailbox: tx`mailbox`,
    domain: tx`split_part(mailbox, '@', -1)`,
    sender: tx`sender::text`,
    all: tx`''`,
  }[of];
  // Its own index finds a mailbox, or a sender, without a look at all mails of the kind.
  const indexed = {
    mailbox: tx`and mailbox = any(${keys as string[]}::text[])`,
    domain: tx`and split_part(mailbox, '@', -1) = any(${keys as string[]}::text[])`,
    sender: tx`and sender = any(${keys as string[]}::uuid[])`,
    all: tx``,
  }[of];
  const share = known === undefined ? tx`and not known` : tx`and known and asker = ${known}`;
  // A sender is limited by itself, whatever networks it asks from.
  const own = of === 'sender' ? tx`count(*)` : tx`count(*) filter (where asker = ${askerOf(asked)})`;
  return tx`
    select ${n}::integer as n, ${key} as key, count(*) as all, ${own} as own, count(distinct asker) as askers
    from mail_outbox
    where kind = ${kind} and created_at > now() - ${minutes}::integer * interval '1 minute' ${indexed} ${share} group by 2`;
}
