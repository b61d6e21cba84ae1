import { assert, AssertionFailed } from '../../ops/assert.js';
import { backOff } from '../../ops/backoff.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTime, NoDatabaseAnswer } from '../../store/bounded.js';
import { codeOf, isConnectionError, type Database } from '../../store/database.js';
import { Fenced, WriteRefused } from './fence.js';

/**
 * Runs statements until they are done, however long the database is away. Every statement here may be repeated without
 * harm (hands by hand_id, buy-ins and cash-outs by their sitting), and is fenced. So after an unclear end it simply
 * runs again.
 */
export interface DurableOptions {
  /** Opens a pool of connections; called again when the present one seems dead. */
  connect: () => Database;
  /** A statement without an answer for so long counts as lost, with its connections. */
  statementMs: number;
  /** The database takes no writes since this time (epoch ms), or null: it does again. */
  onDown: (since: number | null) => void;
  /** Another incarnation owns the shard. May be called more than once. */
  onFenced: () => void;
  /** A statement failed in a way that is not the network's: it is repeated, but somebody should know. */
  onTrouble: (statement: string, error: Error) => void;
}

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1000;
/** Attempts that may fail by collisions or broken connections before somebody should know. */
const QUIET_ATTEMPTS = 3;

export class Durable {
  #sql: Database;
  /** Set while the database is asked whether it is there: resolves when it answers. */
  #recovery: Promise<void> | null = null;
  #downSince: number | null = null;
  #closed = false;
  readonly #options: DurableOptions;

  constructor(options: DurableOptions) {
    assert(options.statementMs > 0, 'a statement has time', options.statementMs);
    this.#options = options;
    this.#sql = options.connect();
  }

  get down(): boolean {
    return this.#downSince !== null;
  }

  /** Rejects with Refused or Fenced, or with the fault of the caller (data the database cannot take), never otherwise. */
  async run<T>(name: string, statement: (sql: Database) => Promise<T>): Promise<T> {
    const since = Date.now();
    for (let attempt = 0; ; attempt++) {
      const sql = this.#sql;
      try {
        const result = await inTime(statement(sql), this.#options.statementMs);
        this.#up();
        return result;
      } catch (error) {
        const trouble = classify(error as Error);
        if (error instanceof Fenced) this.#options.onFenced();
        if (trouble === 'ours') throw error;
        if (this.#closed) await never;
        if (trouble === 'unreachable') await (this.#recovery ??= this.#recover(sql, error instanceof NoDatabaseAnswer));
        if (trouble === 'odd' || attempt >= QUIET_ATTEMPTS) this.#options.onTrouble(name, error as Error);
        if (attempt >= QUIET_ATTEMPTS) this.#wentDown(since);
        if (attempt > 0 || trouble !== 'unreachable') await sleep(pause(attempt));
      }
    }
  }

  /**
   * Ends the connections; statements under way are given a moment. Statements that wait for the database wait for ever.
   */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#sql.end({ timeout: 1 });
  }

  /** Asks until the database answers. The first question is free: one broken connection is not an outage. */
  async #recover(lost: Database, mute: boolean): Promise<void> {
    const since = Date.now();
    for (let attempt = 0; ; attempt++) {
      if (mute || attempt > 0) {
        // A fresh pool: a mute connection would stay so, and a pool that failed to connect has a back-off of its own.
        this.#renew(lost);
        lost = this.#sql;
      }
      if (await this.#answers()) break;
      this.#wentDown(since);
      await sleep(pause(attempt));
      if (this.#closed) await never;
    }
    this.#recovery = null;
  }

  async #answers(): Promise<boolean> {
    try {
      await inTime(this.#sql`select 1`, this.#options.statementMs);
      return true;
    } catch {
      return false;
    }
  }

  #wentDown(since: number): void {
    if (this.#downSince !== null) return;
    this.#downSince = since;
    this.#options.onDown(since);
  }

  /** A statement was done, so the database is there and takes writes: an answer alone says only the former. */
  #up(): void {
    if (this.#downSince === null) return;
    this.#downSince = null;
    this.#options.onDown(null);
  }

  #renew(lost: Database): void {
    if (lost !== this.#sql || this.#closed) return;
    this.#sql = this.#options.connect();
    void lost.end({ timeout: 0 });
  }
}

const never = new Promise<never>(() => undefined);

const pause = (attempt: number) => backOff(attempt, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);

/** SQLSTATE: serialization failure, deadlock, lock not available, cancelled: the next try may well do. */
const COLLISION = /^(40|55|57014)/;
/** SQLSTATE: data exceptions, integrity violations; and what the driver calls wrong use of it. */
const BAD_DATA = /^(22|23|UNDEFINED_VALUE|MAX_PARAMETERS|NOT_TAGGED)/;

type Trouble = 'ours' | 'unreachable' | 'collision' | 'odd';

function classify(error: Error): Trouble {
  const code = codeOf(error);
  if (COLLISION.test(code)) return 'collision';
  if (isConnectionError(error)) return 'unreachable';
  if (error instanceof WriteRefused || error instanceof Fenced || error instanceof AssertionFailed) return 'ours';
  if (error instanceof TypeError || error instanceof RangeError || BAD_DATA.test(code)) return 'ours';
  return 'odd';
}
