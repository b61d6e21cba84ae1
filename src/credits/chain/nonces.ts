import { assertWhole } from '../../ops/assert.js';
import type { Database, Transaction } from '../../store/database.js';
import type { AskingLog } from './asking.js';
import type { Chain } from './chain.js';
import * as queries from './decided-queries.js';
import type { FillerRow } from './decided-queries.js';
import { selectNextNonce } from './signer-queries.js';
import { reasonOf, type ChainTransactions } from './transactions.js';
import { TooDear, type Treasury } from './treasury.js';
import type { WithdrawalWaits } from './waiting.js';

export interface NonceOptions {
  sql: Database;
  chain: Chain;
  outgoing: ChainTransactions;
  treasury: Treasury;
  confirmations: number;
  raiseMs: number;
  waiting: WithdrawalWaits;
  log: AskingLog;
  write: (work: (tx: Transaction, epoch: number) => Promise<unknown>) => Promise<void>;
}

/** Fillers signed in a round. */
const MOST_AT_ONCE = 16;
/** A wider gap is a mistake that an operator looks at: each filler costs a fee. */
const MOST_MISSING = 64;

/** The nonces of the treasury: which comes next, and those that nobody uses. */
export class Nonces {
  #doubted: number | null = null;
  /** The lowest unused nonce at the last look. */
  #stood: number | null = null;

  constructor(private readonly options: NonceOptions) {}

  /**
   * The nonce of the next payment: the one behind our last. If a node counts more transactions than we know, it must
   * show the last one at CONFIRMATIONS depth. Until then our own count stands, which never leaves a gap.
   */
  async next(): Promise<number> {
    const { sql, chain, outgoing, confirmations, log } = this.options;
    const { treasury } = chain;
    const [ours, counted] = [await selectNextNonce(sql, treasury), await outgoing.nonce(treasury)];
    assertWhole(counted, 'the nonce that is mined next');
    if (counted <= ours) {
      this.#doubted = null;
      return ours;
    }
    const from = await queries.selectLastBlock(sql, treasury);
    if (await outgoing.proves(treasury, counted, { from, confirmations })) return counted;
    if (this.#doubted !== counted)
      log.error({ nonce: ours, counted }, "the RPC node's nonce is not proven; the stored nonce counts");
    this.#doubted = counted;
    return ours;
  }

  /**
   * Uses up the unused nonces below our payments, once two rounds have found the same ones. Each gets a transfer of 0
   * to the treasury itself. A wide gap is only logged.
   */
  async fillGaps(): Promise<void> {
    const { sql, chain, outgoing, waiting, write } = this.options;
    const { treasury } = chain;
    const [low, high] = [await outgoing.nonce(treasury), await selectNextNonce(sql, treasury)];
    const { open, paid } = await queries.selectNoncesInUse(sql, treasury, { low, high });
    const missing: number[] = [];
    const lost: number[] = [];
    for (let nonce = low; nonce < high && missing.length <= MOST_MISSING; nonce++) {
      if (paid.has(nonce)) lost.push(nonce);
      else if (!open.has(nonce)) missing.push(nonce);
    }
    const [first] = [...lost, ...missing].sort((a, b) => a - b);
    const stands = first !== undefined && this.#stood === first;
    this.#stood = first ?? null;
    if (!stands) return;
    if (lost.length > 0) await write((tx, epoch) => queries.watchAgain(tx, epoch, treasury, lost));
    if (missing.length === 0) return;
    const wide = missing.length > MOST_MISSING;
    const detail = { treasury, nonce: missing[0], missing: wide ? `more than ${MOST_MISSING}` : missing.length };
    waiting.note(`nonce ${missing[0]}`, 'nonce_gap', { ...detail, filled: !wide, withdrawal_id: undefined });
    if (wide) return;
    for (const nonce of missing.slice(0, MOST_AT_ONCE)) await this.#fill(nonce);
  }

  async #fill(nonce: number): Promise<void> {
    const { sql, chain, outgoing, raiseMs, waiting, log } = this.options;
    const [newest] = await queries.selectFillers(sql, chain.treasury, nonce);
    try {
      if (newest === undefined) {
        const older = await queries.selectFees(sql, chain.treasury, nonce);
        return await this.#sign(nonce, older);
      }
      if (!(await outgoing.isKnown(newest.tx_hash))) await outgoing.send(newest.raw);
      if (newest.age_ms > raiseMs && (await chain.height()) > newest.signed_block) await this.#sign(nonce, newest);
    } catch (error) {
      if (error instanceof TooDear)
        return void waiting.note(`nonce ${nonce}`, error.reason, { nonce, withdrawal_id: undefined });
      log.warn({ nonce, reason: reasonOf(error) }, 'a nonce could not be filled');
    }
  }

  async #sign(nonce: number, older: Pick<FillerRow, 'max_fee' | 'priority_fee'> | null): Promise<void> {
    const { chain, outgoing, treasury, log, write } = this.options;
    const replaces =
      older === null ? undefined : { maxFee: BigInt(older.max_fee), priorityFee: BigInt(older.priority_fee) };
    const { hash, raw, block, maxFee, priorityFee } = await treasury.fill(nonce, replaces);
    assertWhole(block, 'the head of the chain');
    const fees = { max_fee: String(maxFee), priority_fee: String(priorityFee) };
    const filler = { tx_hash: hash, treasury: chain.treasury, nonce, raw, signed_block: block, ...fees };
    await write((tx, epoch) => queries.insertFiller(tx, epoch, filler));
    log.warn({ nonce, tx_hash: hash }, 'an unused nonce is filled by a transfer of 0 from the treasury to itself');
    await outgoing.send(raw);
  }
}
