import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../../store/database.js';
import { countPending } from './deposit-queries.js';
import type { AskingLog } from './asking.js';

/** A probe does not wait longer for a database that does not answer. */
const PATIENCE_MS = 1000;

/** Counts the deposits that wait for confirmations; while the database is away the last known number stands. */
export class PendingDeposits {
  #known = 0;
  #underWay: Promise<void> | null = null;
  #alarmed = false;

  constructor(
    private readonly sql: Queryable,
    private readonly log: AskingLog,
  ) {}

  /** Probes that come at once share a count. Never throws. */
  async count(): Promise<number> {
    this.#underWay ??= this.#look().finally(() => (this.#underWay = null));
    await Promise.race([this.#underWay, sleep(PATIENCE_MS, undefined, { ref: false })]);
    return this.#known;
  }

  async #look(): Promise<void> {
    try {
      this.#known = await countPending(this.sql);
      this.#alarmed = false;
    } catch (error) {
      if (!this.#alarmed) this.log.warn({ err: error }, 'pending deposits could not be counted');
      this.#alarmed = true;
    }
  }
}
