import { backOff } from '../../ops/backoff.js';
import { codeOf, isConnectionError, type Database } from '../../store/database.js';
import { Displaced, type Leadership } from '../../store/node/leadership.js';
import { REQUIREMENT } from '../../store/sqlstate.js';
import { WrongChain, type Chain } from './chain.js';
import type { AskingLog } from './asking.js';
import { insertTreasury } from './deposit-queries.js';
import type { Deposits } from './deposits.js';
import type { Signer } from './signer.js';
import { reasonOf } from './transactions.js';

export interface ChainPollerOptions {
  sql: Database;
  leadership: Leadership;
  /** Nothing is paid while it is not certain. */
  clock: { readonly certain: boolean };
  chain: Pick<Chain, 'treasury' | 'check'>;
  deposits: Deposits;
  /** Null without a key: then withdrawals wait. */
  signer: Signer | null;
  /** ms between two rounds. */
  pollMs: number;
  log: AskingLog;
  /** Another process has taken the signing over: this one must not go on. */
  fenced: (error: Error) => void;
}

const LONGEST_MS = 30_000;

/** The steady look at the chain: deposits and withdrawals, round after round. One at a time, slower in trouble. */
export class ChainPoller {
  #timer: NodeJS.Timeout | undefined;
  #started = false;
  #stopped = false;
  #failures = 0;
  #noted = false;
  #rounds = 0;
  #round: Promise<void> = Promise.resolve();

  constructor(private readonly options: ChainPollerOptions) {}

  /** Withdrawals are being paid. */
  get running(): boolean {
    return this.options.signer !== null && !this.#stopped && this.#rounds > 0 && this.#failures === 0;
  }

  /** Rounds that failed one after the other. */
  get failures(): number {
    return this.#failures;
  }

  start(): void {
    this.#started = true;
    this.#schedule(0);
  }

  /** Something new is to be done: do not wait for the next round. Another node's poller comes to it in time. */
  hurry(): void {
    if (this.#started && this.#failures === 0) this.#schedule(0);
  }

  /** Resolves when the round under way is over. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#round;
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#round = this.#round.then(() => this.#run());
    }, ms).unref();
  }

  async #run(): Promise<void> {
    if (this.#stopped) return;
    const { sql, leadership, clock, chain, deposits, signer, pollMs, log } = this.options;
    try {
      if (!this.#noted) await insertTreasury(sql, leadership, chain.treasury);
      this.#noted = true;
      await chain.check();
      await deposits.followAll();
      // Before anything is signed: what its agent has of a lost deposit is not paid.
      await deposits.watchCredited();
      if (clock.certain) await signer?.round();
      if (this.#failures > 0) log.info({ failures: this.#failures }, 'the chain answers again');
      this.#failures = 0;
      this.#rounds++;
    } catch (error) {
      this.#trouble(error);
    }
    this.#schedule(this.#failures === 0 ? pollMs : backOff(this.#failures, pollMs, LONGEST_MS));
  }

  #trouble(error: unknown): void {
    const { log, fenced } = this.options;
    this.#failures++;
    if (error instanceof Displaced) return void (this.#stopped = true);
    if (codeOf(error) === REQUIREMENT) {
      this.#stopped = true;
      return fenced(error as Error);
    }
    const level = error instanceof WrongChain ? 'error' : 'warn';
    const what = isConnectionError(error) ? 'the database is away: the chain waits' : 'no word from the chain';
    log[level]({ reason: reasonOf(error), failures: this.#failures }, what);
  }
}
