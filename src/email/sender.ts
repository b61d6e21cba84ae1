import { backOff } from '../ops/backoff.js';
import type { Logger } from '../ops/log.js';
import { retrying, type Database } from '../store/database.js';
import { Displaced, type Leadership } from '../store/node/leadership.js';
import { CONCURRENCY, type EmailTransport } from './transport.js';
import * as queries from './queries.js';

/**
 * The meaning of a failed attempt. `outage`: the mail server takes no mail now. `later`: it does not take this mail
 * yet. `never`: it will not take this mail.
 */
type MailFailure = 'outage' | 'later' | 'never';

interface SmtpError extends Error {
  code?: unknown;
  command?: unknown;
  responseCode?: unknown;
}

/** Judges an error of nodemailer. Only an answer about the recipient or the message counts against the mail. */
export function failureOf(error: unknown): MailFailure {
  const { code, command, responseCode } = error instanceof Error ? (error as SmtpError) : {};
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return 'outage';
  if (command === 'API') return 'never';
  if (command !== 'RCPT TO' && command !== 'DATA') return 'outage';
  // 421: the server closes down, for any request.
  if (responseCode === 421) return 'outage';
  return typeof responseCode === 'number' && responseCode >= 500 ? 'never' : 'later';
}

export interface EmailSenderOptions {
  sql: Database;
  leadership: Leadership;
  transport: EmailTransport;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Mails wait while the clock is not certain: they go, and expire, by dates. */
  clock?: { readonly certain: boolean };
  /** Pause before the second attempt at a mail; it doubles with each further one, up to an hour. */
  retryMs?: number;
  /** How long the sender rests after the mail server failed; doubles up to a minute. */
  restMs?: number;
  /** How often it looks for mails that no notice announced. */
  pollMs?: number;
  /** A mail older than this is given up. */
  maxAgeMs?: number;
  /** How long a claim holds if this process dies. */
  leaseMs?: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const LONGEST_PAUSE = HOUR;
const LONGEST_REST = MINUTE;
const STOP_MS = 5 * SECOND;

/**
 * Takes mails from the outbox to the mail server, a few at a time. A mail that the server took is not sent again, with
 * one gap that no sender can close. The process may die, or the answer may be lost, between the server's yes and its
 * note. Then the mail goes out once more with the same Message-ID.
 */
export class EmailSender {
  readonly #options: Required<EmailSenderOptions>;
  readonly #inFlight = new Map<number, Promise<void>>();
  readonly #stopping = new AbortController();
  #loop: Promise<void> | null = null;
  #wake: (() => void) | null = null;
  #woken = false;
  #waiting = 0;
  /** Failures of the mail server in a row, and the end of the pause (ms of the steady clock). */
  #outages = 0;
  #restUntil = 0;
  #databaseAway = false;
  #countAt = 0;
  #sweepAt = 0;

  constructor(options: EmailSenderOptions) {
    const usual = { retryMs: 30 * SECOND, restMs: SECOND, pollMs: SECOND, maxAgeMs: 48 * HOUR, leaseMs: 2 * MINUTE };
    this.#options = { clock: { certain: true }, ...usual, ...options };
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Mails that wait to be sent, as last counted. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Looks for new mails now. */
  wake(): void {
    this.#woken = true;
    this.#wake?.();
  }

  /** Begins nothing new, and waits a little for mails on their way. The others are left to their leases. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#loop;
    let late: NodeJS.Timeout | undefined;
    const patience = new Promise((resolve) => (late = setTimeout(resolve, STOP_MS)));
    await Promise.race([Promise.all(this.#inFlight.values()), patience]);
    clearTimeout(late);
    this.#options.transport.close();
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#round();
        if (this.#databaseAway) this.#options.log.info({}, 'mails go on: the database is back');
        this.#databaseAway = false;
      } catch (error) {
        if (error instanceof Displaced) return;
        if (!this.#databaseAway) this.#options.log.warn({ err: error }, 'mails wait: the outbox cannot be read');
        this.#databaseAway = true;
      }
      await this.#pause();
    }
  }

  async #round(): Promise<void> {
    const { sql, leadership, leaseMs, clock } = this.#options;
    if (!clock.certain) return;
    const now = performance.now();
    const limit = CONCURRENCY - this.#inFlight.size;
    if (limit > 0 && now >= this.#restUntil) {
      const holding = [...this.#inFlight.keys()];
      for (const email of await queries.claimEmails(sql, leadership, { limit, leaseMs, holding })) this.#begin(email);
    }
    if (now >= this.#countAt) {
      this.#waiting = await queries.countWaiting(sql);
      this.#countAt = now + this.#options.pollMs;
    }
    if (now >= this.#sweepAt) {
      await queries.sweepEmails(sql);
      this.#sweepAt = now + HOUR;
    }
  }

  /** Waits for a notice, or for the next look. */
  async #pause(): Promise<void> {
    if (!this.#woken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.#options.pollMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = null;
    this.#woken = false;
  }

  #begin(email: queries.ClaimedEmail): void {
    const done = this.#deliver(email)
      .catch((error: unknown) => {
        // The claim runs out, and the mail is due again.
        if (!this.#stopping.signal.aborted)
          this.#options.log.error({ err: error, mail: email.mail_id }, 'the state of a mail could not be stored');
      })
      .finally(() => {
        this.#inFlight.delete(email.mail_id);
        this.wake();
      });
    this.#inFlight.set(email.mail_id, done);
  }

  async #deliver(email: queries.ClaimedEmail): Promise<void> {
    const { sql, transport, log } = this.#options;
    try {
      await transport.send(email);
    } catch (error) {
      return this.#failed(email, failureOf(error), error);
    }
    if (this.#outages > 0) log.info({}, 'the mail server takes mails again');
    this.#outages = 0;
    // Repeats while the database is away. Without the note the mail would be sent twice.
    await this.#note(() => queries.markSent(sql, email.mail_id));
  }

  async #failed(email: queries.ClaimedEmail, failure: MailFailure, cause: unknown): Promise<void> {
    const { sql, log, retryMs, maxAgeMs } = this.#options;
    const error = cause instanceof Error ? cause.message.slice(0, 500) : String(cause);
    if (failure === 'never') {
      log.warn({ mail: email.mail_id, error }, 'a mail is refused permanently');
      return this.#note(() => queries.giveUpEmail(sql, email.mail_id, error));
    }
    if (failure === 'outage') this.#rest(error);
    const longest = failure === 'outage' ? LONGEST_REST : LONGEST_PAUSE;
    const pauseMs = backOff(email.attempts - 1, retryMs, longest);
    const givenUp = await this.#note(() => queries.postponeEmail(sql, email.mail_id, { error, pauseMs, maxAgeMs }));
    if (givenUp) log.warn({ mail: email.mail_id, error }, 'a mail is given up: too old');
  }

  #note<T>(statement: () => Promise<T>): Promise<T> {
    return retrying(statement, { signal: this.#stopping.signal });
  }

  /** Pauses the mail server. Mails that fail side by side count as one failure. */
  #rest(error: string): void {
    const now = performance.now();
    if (now < this.#restUntil) return;
    const { restMs, log } = this.#options;
    if (this.#outages === 0) log.warn({ error }, 'the mail server cannot be used: mails wait');
    this.#restUntil = now + backOff(this.#outages, restMs, LONGEST_REST);
    this.#outages++;
  }
}
