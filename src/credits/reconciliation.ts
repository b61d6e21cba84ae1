import { assert, assertWhole } from '../ops/assert.js';
import type { Database } from '../store/database.js';
import { accounting, type Accounting } from './accounting.js';
import type { Chain } from './chain/chain.js';
import { UNITS_PER_UCENT } from './chain/deposit-queries.js';
import type { AskingLog } from './chain/asking.js';
import { UCENTS_PER_CENT } from './money.js';
import { selectOpenPayments, type OpenPayments } from './queries.js';

export interface ReconciliationOptions {
  sql: Database;
  chain: Chain | null;
  log: AskingLog;
}

/** The books, and whether they agree with themselves and with the chain. */
export interface Books extends Accounting, OpenPayments {
  /**
   * The treasury's units beyond the on-chain credits of agents and platform. Null: the chain was not asked. Negative:
   * it could not pay everybody.
   */
  surplusUnits: number | null;
}

const EVERY_MS = 60_000;

/** Holds the ledger against itself, and the treasury against the ledger, once a minute. */
export class Reconciliation {
  #books: Books | null = null;
  #timer: NodeJS.Timeout | undefined;
  #alarmed = false;

  constructor(private readonly options: ReconciliationOptions) {}

  start(): void {
    void this.#run();
    this.#timer = setInterval(() => void this.#run(), EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** As of the last look, a minute ago at most; null before the first. */
  get books(): Books | null {
    return this.#books;
  }

  /** False where the ledger contradicts itself, or owes more than the treasury holds. */
  get agree(): boolean {
    const { drift = 0, surplusUnits = null } = this.#books ?? {};
    return drift === 0 && (surplusUnits === null || surplusUnits >= 0);
  }

  /** The form of GET /health. */
  get health() {
    const { agents = 0 } = this.#books ?? {};
    return {
      units_match: this.agree,
      balance_cents: Math.floor(agents / UCENTS_PER_CENT),
      balance_ucents: agents,
      // Credits are never at a table.
      locked_cents: 0,
      locked_ucents: 0,
    };
  }

  /** Looks now. */
  async look(): Promise<Books> {
    const { sql } = this.options;
    const books = await accounting(sql);
    const surplusUnits = await this.#surplus(books);
    return (this.#books = { ...books, ...(await selectOpenPayments(sql)), surplusUnits });
  }

  /** Null without a chain, or where it does not answer. */
  async #surplus(books: Accounting): Promise<number | null> {
    const { sql, chain, log } = this.options;
    if (chain === null) return null;
    try {
      const once = await surplus(sql, await chain.treasuryUnits(), books);
      // One answer raises no alarm.
      return once >= 0 ? once : Math.max(once, await surplus(sql, await chain.treasuryUnits(), books));
    } catch (error) {
      log.warn({ err: error }, "the treasury's balance could not be read");
      return null;
    }
  }

  async #run(): Promise<void> {
    const { log } = this.options;
    try {
      const { drift, surplusUnits } = await this.look();
      const wrong = !this.agree;
      if (wrong && !this.#alarmed) log.error({ drift, surplus_units: surplusUnits }, 'the books do not agree');
      if (!wrong && this.#alarmed) log.info({}, 'the books agree again');
      this.#alarmed = wrong;
    } catch (error) {
      log.warn({ err: error }, 'the books could not be checked');
    }
  }
}

/**
 * The treasury's units less the ledger's debts. Withdrawals under way count as paid, so that none of them raises an
 * alarm; what development gave for nothing was never on the chain.
 */
async function surplus(sql: Database, held: bigint, { balance }: Accounting): Promise<number> {
  const [row] = await sql<{ given: number }[]>`
    select coalesce(sum(amount), 0)::bigint as given
    from credit_transactions join credit_postings using (transaction_id) join credit_accounts using (account_id)
    where type = 'dev_deposit' and kind = 'agent'`;
  assert(held >= 0n, 'the treasury holds no less than nothing', held);
  assertWhole(row?.given ?? 0, 'what was given for nothing');
  return Number(held) - (balance - (row?.given ?? 0)) * UNITS_PER_UCENT;
}
