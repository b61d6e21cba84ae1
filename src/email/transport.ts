import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as nodemailer from 'nodemailer';
import type { Logger } from '../ops/log.js';
import type { ClaimedEmail } from './queries.js';

/** Where mails are taken to. */
export interface EmailTransport {
  /** Resolves when the mail is taken, rejects with an error of nodemailer. */
  send(email: Pick<ClaimedEmail, 'dedupe_key' | 'recipient' | 'subject' | 'body'>): Promise<void>;
  close(): void;
}

/** Mails on their way at the same time. */
export const CONCURRENCY = 4;

/** One address without quotes, commas or brackets: nodemailer reads anything more as a list of several. */
const PLAIN_ADDRESS = /^[^\s@"(),:;<>[\]\\]+@[^\s@"(),:;<>[\]\\]+$/;

/** As nodemailer says it of addresses that it will not send. */
const unsendable = () =>
  Object.assign(new Error('the address cannot be sent to'), { code: 'EENVELOPE', command: 'API' });

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 };

/** The mail server at `url` (smtp:, smtps:); `from` is an address, or `Name <address>`. */
export function smtpTransport(url: string, from: string): EmailTransport {
  // Loaded only where mails are sent: a start without it is cheaper.
  const { createTransport } = createRequire(import.meta.url)('nodemailer') as typeof nodemailer;
  const sender = addressOf(from);
  // maxRequeues: what fails comes back to the outbox, which knows when to try again.
  const pooled = { pool: true, maxConnections: CONCURRENCY, maxRequeues: -1, ...TIMEOUTS } as const;
  const transport = createTransport({ url, ...pooled, disableFileAccess: true, disableUrlAccess: true });
  return {
    async send({ dedupe_key, recipient, subject, body }) {
      if (!PLAIN_ADDRESS.test(recipient)) throw unsendable();
      await transport.sendMail({
        from,
        to: { name: '', address: recipient },
        envelope: { from: sender, to: [recipient] },
        subject,
        text: body,
        messageId: messageId(dedupe_key, sender),
        headers: { 'auto-submitted': 'auto-generated' },
      });
    },
    close: () => transport.close(),
  };
}

/** For development: mails go to the log. */
export function logTransport(log: Pick<Logger, 'info'>): EmailTransport {
  return {
    async send({ recipient, subject, body }) {
      log.info({ to: recipient, subject, text: body }, 'mail (not sent, because SMTP_URL is missing)');
    },
    close: () => undefined,
  };
}

/** The same at every attempt, so that a mail which came twice after a crash can be recognized by its readers' programs. */
function messageId(dedupeKey: string, sender: string): string {
  const name = createHash('sha256').update(dedupeKey).digest('hex').slice(0, 32);
  return `<${name}@${sender.slice(sender.lastIndexOf('@') + 1)}>`;
}

/** The bare address of `Name <address>`. */
function addressOf(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();
}
