import type { Logger } from '../ops/log.js';
import { retrying, type Database } from '../store/database.js';
import { failureOf, type Failure } from './failure.js';
import { CONCURRENCY, type Post } from './post.js';
import * as queries from './queries.js';

export interface MailSenderOptions {
  sql: Database;
  post: Post;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Pause before the second attempt at a mail; it doubles with each further one, up to an hour. */
  retryMs?: number;
  /** How long the sender rests after the mail server failed; doubles up to a minute. */
  restMs?: number;
  /** How often it looks for mails nobody told it of. */
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
 * Takes mails from the outbox to the mail server, a few at a time. What was taken there is never sent again, but for one
 * gap that no sender can close: if the process dies (or the answer is lost) between the server's yes and the note of it,
 * the mail goes out once more, under the same Message-ID.
 */
export class MailSender {
  readonly #options: Required<MailSenderOptions>;
  readonly #inFlight = new Map<number, Promise<void>>();
  readonly #stopping = new AbortController();
  #loop: Promise<void> | null = null;
  #wake: (() => void) | null = null;
  #woken = false;
  #waiting = 0;
  /** Failures of the mail server in a row, and until when it is left alone (epoch ms). */
  #outages = 0;
  #restUntil = 0;
  #databaseAway = false;
  #countAt = 0;
  #sweepAt = 0;

  constructor(options: MailSenderOptions) {
    const usual = { retryMs: 30 * SECOND, restMs: SECOND, pollMs: SECOND, maxAgeMs: 48 * HOUR, leaseMs: 2 * MINUTE };
    this.#options = { ...usual, ...options };
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Mails that wait to be sent, as last counted. */
  get waiting(): number {
    return this.#waiting;
  }

  /** There may be new mails: look now. */
  wake(): void {
    this.#woken = true;
    this.#wake?.();
  }

  /** Begins nothing new and waits a little for what is on its way; what is not done by then is left to its lease. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
    await this.#loop;
    let late: NodeJS.Timeout | undefined;
    const patience = new Promise((resolve) => (late = setTimeout(resolve, STOP_MS)));
    await Promise.race([Promise.all(this.#inFlight.values()), patience]);
    clearTimeout(late);
    this.#options.post.close();
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#round();
        if (this.#databaseAway) this.#options.log.info({}, 'mails go on: the database is back');
        this.#databaseAway = false;
      } catch (error) {
        if (!this.#databaseAway) this.#options.log.warn({ err: error }, 'mails wait: the outbox cannot be read');
        this.#databaseAway = true;
      }
      await this.#pause();
    }
  }

  async #round(): Promise<void> {
    const { sql, leaseMs } = this.#options;
    const now = Date.now();
    const limit = CONCURRENCY - this.#inFlight.size;
    if (limit > 0 && now >= this.#restUntil) {
      const holding = [...this.#inFlight.keys()];
      for (const mail of await queries.claimMails(sql, { limit, leaseMs, holding })) this.#begin(mail);
    }
    if (now >= this.#countAt) {
      this.#waiting = await queries.countWaiting(sql);
      this.#countAt = now + this.#options.pollMs;
    }
    if (now >= this.#sweepAt) {
      await queries.sweepMails(sql);
      this.#sweepAt = now + HOUR;
    }
  }

  /** Until something is told, or it is time to look again. */
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

  #begin(mail: queries.ClaimedMail): void {
    const done = this.#deliver(mail)
      .catch((error: unknown) => {
        // The claim runs out, and the mail is due again.
        if (!this.#stopping.signal.aborted)
          this.#options.log.error({ err: error, mail: mail.mail_id }, 'mail not noted');
      })
      .finally(() => {
        this.#inFlight.delete(mail.mail_id);
        this.wake();
      });
    this.#inFlight.set(mail.mail_id, done);
  }

  async #deliver(mail: queries.ClaimedMail): Promise<void> {
    const { sql, post, log } = this.#options;
    try {
      await post.send(mail);
    } catch (error) {
      return this.#failed(mail, failureOf(error), error);
    }
    if (this.#outages > 0) log.info({}, 'the mail server takes mails again');
    this.#outages = 0;
    // For as long as the database is away: to forget that it was sent would be to send it twice.
    await this.#note(() => queries.markSent(sql, mail.mail_id));
  }

  async #failed(mail: queries.ClaimedMail, failure: Failure, cause: unknown): Promise<void> {
    const { sql, log, retryMs, maxAgeMs } = this.#options;
    const error = cause instanceof Error ? cause.message.slice(0, 500) : String(cause);
    if (failure === 'never') {
      log.warn({ mail: mail.mail_id, error }, 'a mail is refused for good');
      return this.#note(() => queries.giveUpMail(sql, mail.mail_id, error));
    }
    if (failure === 'outage') this.#rest(error);
    const longest = failure === 'outage' ? LONGEST_REST : LONGEST_PAUSE;
    const pauseMs = Math.min(retryMs * 2 ** Math.min(mail.attempts - 1, 20), longest);
    const givenUp = await this.#note(() => queries.postponeMail(sql, mail.mail_id, { error, pauseMs, maxAgeMs }));
    if (givenUp) log.warn({ mail: mail.mail_id, error }, 'a mail is given up: too old');
  }

  #note<T>(statement: () => Promise<T>): Promise<T> {
    return retrying(statement, { signal: this.#stopping.signal });
  }

  /** Leaves the mail server alone for a while. Mails that failed side by side count as one failure. */
  #rest(error: string): void {
    const now = Date.now();
    if (now < this.#restUntil) return;
    const { restMs, log } = this.#options;
    if (this.#outages === 0) log.warn({ error }, 'the mail server cannot be used: mails wait');
    this.#restUntil = now + Math.min(restMs * 2 ** Math.min(this.#outages, 20), LONGEST_REST);
    this.#outages++;
  }
}
