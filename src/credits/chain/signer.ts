import { transaction, type Database, type Transaction } from '../../store/database.js';
import type { Chain } from './chain.js';
import type { Log } from './deposits.js';
import { reasonOf, WouldRevert, type Treasury } from './treasury.js';
import * as queries from './withdrawal-queries.js';
import type { SignedRow, WithdrawalRow } from './withdrawal-queries.js';

export interface SignerOptions {
  sql: Database;
  chain: Chain;
  treasury: Treasury;
  /** Blocks before a withdrawal counts as paid, or as reverted. */
  confirmations: number;
  /** A transaction that is not mined for so long is signed again with a higher fee. */
  raiseMs: number;
  log: Log;
}

/** After so many refusals by the chain, before anything was signed, the credits go back. */
const MOST_REFUSALS = 5;
const REFUSED_PAUSE_MS = 10_000;
/** Unmined transactions at the same time: what nodes keep of one sender. */
const MOST_IN_FLIGHT = 16;

/**
 * Pays withdrawals, the only one to do so: its epoch fences every write, so that another process which takes over stops
 * it. Whatever is signed is stored before a node sees it, and is sent again and again until the chain has it; nothing is
 * signed with another nonce unless the chain proves that the first can never be mined. So a crash at any line neither
 * pays twice nor forgets.
 */
export class Signer {
  #epoch: number | null = null;

  constructor(private readonly options: SignerOptions) {}

  /** One round: looks after what was signed, then signs what waits. Throws what node or database throw. */
  async round(): Promise<void> {
    const { sql, chain } = this.options;
    await chain.check();
    this.#epoch ??= await queries.raiseSignerEpoch(sql);
    const open = await queries.selectOpen(sql);
    let inFlight = 0;
    for (const withdrawal of open.filter(({ status }) => status !== 'pending')) {
      if (!(await this.#lookAfter(withdrawal))) inFlight++;
    }
    for (const withdrawal of open.filter(({ status }) => status === 'pending')) {
      if (inFlight >= MOST_IN_FLIGHT) return;
      if (await this.#pay(withdrawal)) inFlight++;
    }
  }

  /** Signs a queued withdrawal, stores it, then sends it. False when the chain would refuse it. */
  async #pay(withdrawal: WithdrawalRow): Promise<boolean> {
    const { sql, treasury, log } = this.options;
    const { withdrawal_id: id, to_address: to, ucents } = withdrawal;
    const nonce = Math.max((await queries.selectNextNonce(sql)) ?? 0, await treasury.nonce());
    try {
      const signed = await treasury.sign(to, ucents, nonce);
      await this.#store(id, signed);
      log.info({ withdrawal_id: id, nonce, tx_hash: signed.hash }, 'withdrawal signed');
      await this.#send(id, signed.raw);
      return true;
    } catch (error) {
      if (!(error instanceof WouldRevert)) throw error;
      await this.#refused(withdrawal, error.message);
      return false;
    }
  }

  async #store(id: string, signed: Awaited<ReturnType<Treasury['sign']>>): Promise<void> {
    const { hash, raw, nonce, maxFee, priorityFee } = signed;
    const row = { tx_hash: hash, withdrawal_id: id, nonce, raw };
    await this.#write((tx, epoch) =>
      queries.insertSigned(tx, epoch, { ...row, max_fee: String(maxFee), priority_fee: String(priorityFee) }),
    );
  }

  async #refused(withdrawal: WithdrawalRow, message: string): Promise<void> {
    const { withdrawal_id: id, refusals } = withdrawal;
    this.options.log.warn(
      { withdrawal_id: id, refusals: refusals + 1, reason: message },
      'the chain refuses a withdrawal',
    );
    if (refusals + 1 >= MOST_REFUSALS) await this.#write((tx, epoch) => queries.fail(tx, epoch, withdrawal, message));
    else {
      const pauseMs = REFUSED_PAUSE_MS * 2 ** refusals;
      await this.#write((tx, epoch) => queries.postpone(tx, epoch, id, { message, pauseMs }));
    }
  }

  /** True when it is decided: paid, reverted for good, or queued again. */
  async #lookAfter(withdrawal: WithdrawalRow): Promise<boolean> {
    const signed = await queries.selectSigned(this.options.sql, withdrawal.withdrawal_id);
    for (const { tx_hash: txHash } of signed) {
      const decided = await this.#lookAt(withdrawal, txHash);
      if (decided !== null) return decided;
    }
    return this.#notMined(withdrawal, signed);
  }

  /** Null where this one is not mined; else whether it is deep enough. */
  async #lookAt(withdrawal: WithdrawalRow, txHash: string): Promise<boolean | null> {
    const { chain, confirmations: wanted, log } = this.options;
    const { withdrawal_id: id } = withdrawal;
    const mined = await chain.mined(txHash);
    if (mined === null) return null;
    const confirmations = await chain.confirmations(mined.blockNumber, mined.blockHash, wanted);
    if (confirmations < wanted) {
      await this.#write((tx, epoch) => queries.noteMined(tx, epoch, id, { txHash, confirmations }));
      return false;
    }
    if (mined.succeeded) {
      await this.#write((tx, epoch) => queries.confirm(tx, epoch, withdrawal, { txHash, confirmations }));
      log.info({ withdrawal_id: id, tx_hash: txHash }, 'withdrawal paid');
    } else {
      await this.#write((tx, epoch) => queries.fail(tx, epoch, withdrawal, 'the transfer was reverted on the chain'));
      log.error({ withdrawal_id: id, tx_hash: txHash }, 'withdrawal reverted: the credits went back');
    }
    return true;
  }

  async #notMined(withdrawal: WithdrawalRow, signed: readonly SignedRow[]): Promise<boolean> {
    const { treasury, confirmations, raiseMs, log } = this.options;
    const { withdrawal_id: id, nonce } = withdrawal;
    const [newest] = signed;
    if (newest === undefined || nonce === null) throw new Error(`withdrawal ${id} is ${withdrawal.status}, unsigned`);
    if ((await treasury.nonce()) > nonce) {
      const user = await treasury.usedBy(nonce, confirmations);
      // Ours after all, or not deep enough yet: the next round sees more.
      if (user === null || signed.some(({ tx_hash: hash }) => hash === user)) return false;
      log.error({ withdrawal_id: id, nonce, tx_hash: user }, 'another transaction has used the nonce of a withdrawal');
      await this.#write((tx, epoch) => queries.queueAgain(tx, epoch, id));
      return true;
    }
    if (newest.age_ms > raiseMs) return this.#raise(withdrawal, newest);
    if (withdrawal.status === 'processing' || !(await treasury.isKnown(newest.tx_hash))) {
      await this.#send(id, newest.raw);
    }
    return false;
  }

  /** The same payment with the same nonce for a higher fee. */
  async #raise(withdrawal: WithdrawalRow, older: SignedRow): Promise<boolean> {
    const { treasury, log } = this.options;
    const { withdrawal_id: id, to_address: to, ucents } = withdrawal;
    const fees = { maxFee: BigInt(older.max_fee), priorityFee: BigInt(older.priority_fee) };
    try {
      const signed = await treasury.sign(to, ucents, older.nonce, fees);
      await this.#store(id, signed);
      log.info({ withdrawal_id: id, nonce: signed.nonce, tx_hash: signed.hash }, 'withdrawal signed again, higher fee');
      await this.#send(id, signed.raw);
    } catch (error) {
      if (!(error instanceof WouldRevert)) throw error;
      // What is signed already may be mined at any time, so that nothing can be taken back: it stays as it is.
      await this.#write((tx, epoch) => queries.noteTrouble(tx, epoch, id, error.message));
    }
    return false;
  }

  async #send(id: string, raw: string): Promise<void> {
    const { treasury, log } = this.options;
    try {
      await treasury.send(raw);
    } catch (error) {
      const message = reasonOf(error);
      log.warn({ withdrawal_id: id, reason: message }, 'the node does not take a withdrawal');
      return this.#write((tx, epoch) => queries.noteTrouble(tx, epoch, id, message));
    }
    await this.#write((tx, epoch) => queries.markSubmitted(tx, epoch, id));
  }

  async #write(work: (tx: Transaction, epoch: number) => Promise<unknown>): Promise<void> {
    const epoch = this.#epoch;
    if (epoch === null) throw new Error('the signer has no epoch');
    await transaction(this.options.sql, (tx) => work(tx, epoch));
  }
}
