import { assert } from '../../ops/assert.js';
import { getAddress, recoverTransactionAddress, type TransactionSerialized } from 'viem';
import { Detail } from '../../protocol/rest/errors.js';
import type { Database, Transaction } from '../../store/database.js';
import type { Leadership } from '../../store/node/leadership.js';
import type { AskingLog } from './asking.js';
import type { Chain } from './chain.js';
import { DecidedWithdrawals, paysWithdrawal } from './decided.js';
import { Nonces, type NonceOptions } from './nonces.js';
import { ownAddresses } from './own-addresses.js';
import { ChainTransactions, reasonOf } from './transactions.js';
import { TooDear, WouldRevert, type Treasury } from './treasury.js';
import { isGeneral, WithdrawalWaits } from './waiting.js';
import * as queries from './signer-queries.js';
import { NotPayable, type SignedRow } from './signer-queries.js';
import type { WithdrawalRow } from './withdrawal-queries.js';

export interface SignerOptions {
  sql: Database;
  leadership: Leadership;
  chain: Chain;
  treasury: Treasury;
  /** Blocks before a withdrawal counts as paid, or as reverted. */
  confirmations: number;
  /** Decided withdrawals are looked at for so many hours. */
  watchHours: number;
  /** A transaction that is not mined for so long is signed again with a higher fee. */
  raiseMs: number;
  log: AskingLog;
}

/** After so many refusals by the chain, before anything was signed, the credits go back. */
const MOST_REFUSALS = 5;
const REFUSED_PAUSE_MS = 10_000;
/** One that cannot be handled is left alone for so long, if it is queued. */
const TROUBLE_PAUSE_MS = 60_000;
/** Unmined transactions at the same time: what nodes keep of one sender. */
const MOST_IN_FLIGHT = 16;
const MOST_TOO_DEAR = 16;

/**
 * The only payer of withdrawals. The leader's epoch and its own fence guard every write, so another process that takes
 * over stops it. A signed transaction is stored before a node sees it, and is sent again until the chain has it.
 * Another nonce is used only if the chain proves that the first one can never be mined. So a crash at any line neither
 * pays twice nor forgets. Transactions of a former treasury are followed in the same way, but their fees are not
 * raised. A withdrawal that cannot be handled holds up no other.
 */
export class Signer {
  readonly waiting: WithdrawalWaits;
  readonly #outgoing: ChainTransactions;
  readonly #decided: DecidedWithdrawals;
  readonly #nonces: Nonces;
  #epoch: number | null = null;

  constructor(private readonly options: SignerOptions) {
    const { sql, chain, treasury, confirmations, watchHours, raiseMs, log } = options;
    const write: NonceOptions['write'] = (work) => this.#write(work);
    this.waiting = new WithdrawalWaits(log);
    this.#outgoing = new ChainTransactions(chain);
    this.#decided = new DecidedWithdrawals({ sql, chain, confirmations, watchHours, log, write });
    const { waiting } = this;
    const outgoing = this.#outgoing;
    this.#nonces = new Nonces({ sql, chain, outgoing, treasury, confirmations, raiseMs, waiting, log, write });
  }

  /** One round: looks at what was decided and at what was signed, then signs what waits. Throws what node or database throw. */
  async round(): Promise<void> {
    const { sql, leadership, chain } = this.options;
    await chain.check();
    if (this.#epoch === null) {
      this.#epoch = await queries.raiseSignerEpoch(sql, leadership);
      await this.#nameSigners();
    }
    await this.#decided.look();
    this.waiting.begin(await queries.countHeld(sql), await queries.countOfChangedWallets(sql));
    const open = await queries.selectOpen(sql);
    let inFlight = 0;
    for (const withdrawal of open.filter(({ status }) => status !== 'pending')) {
      const decided = await this.#apart(withdrawal, () => this.#lookAfter(withdrawal));
      if (decided !== true && withdrawal.treasury === chain.treasury) inFlight++;
    }
    await this.#nonces.fillGaps();
    await this.#payAll(
      open.filter(({ status }) => status === 'pending'),
      MOST_IN_FLIGHT - inFlight,
    );
    this.waiting.finish();
  }

  /** Signs so many of the queue at the most. Fees that are too high for several are so for all: these are not asked for. */
  async #payAll(queue: readonly WithdrawalRow[], most: number): Promise<void> {
    let signed = 0;
    const dear: TooDear['reason'][] = [];
    for (const withdrawal of queue) {
      if (signed >= most) return;
      if (dear.length >= MOST_TOO_DEAR) {
        this.waiting.note(withdrawal.withdrawal_id, dear[0]!);
        continue;
      }
      const outcome = await this.#apart(withdrawal, () => this.#pay(withdrawal));
      if (outcome === true) signed++;
      else if (outcome !== false && outcome !== null) dear.push(outcome);
    }
  }

  /**
   * An error of one withdrawal stops only that withdrawal, unless it concerns the node or the database. Null, or why it
   * is too dear, where it has thrown.
   */
  async #apart(withdrawal: WithdrawalRow, work: () => Promise<boolean>): Promise<boolean | TooDear['reason'] | null> {
    const { withdrawal_id: id } = withdrawal;
    try {
      return await work();
    } catch (error) {
      if (isGeneral(error)) throw error;
      // Held or decided meanwhile: the next round sees it as it is.
      if (error instanceof NotPayable) return null;
      const dear = error instanceof TooDear;
      const message = reasonOf(error);
      const news = this.waiting.note(id, dear ? error.reason : 'trouble', dear ? {} : { err: error });
      const pauseMs = dear ? 0 : TROUBLE_PAUSE_MS;
      if (news || pauseMs > 0)
        await this.#write((tx, epoch) => queries.noteTrouble(tx, epoch, id, { message, pauseMs }));
      return dear ? error.reason : null;
    }
  }

  /** Signs a queued withdrawal, stores it, then sends it. False when it is not to be paid, or the chain would refuse it. */
  async #pay(withdrawal: WithdrawalRow): Promise<boolean> {
    const { sql, chain, treasury, log } = this.options;
    const { withdrawal_id: id, to_address: to, ucents } = withdrawal;
    // A transaction that was signed before the withdrawal was queued again may still be mined.
    for (const signed of await queries.selectSigned(sql, id)) {
      if ((await this.#lookAt(withdrawal, signed)) !== null) return false;
    }
    if ((await ownAddresses(sql, chain)).has(to.toLowerCase())) {
      log.error(
        { withdrawal_id: id, to_address: to },
        'a withdrawal to an address of the platform: the credits went back',
      );
      await this.#write((tx, epoch) => queries.fail(tx, epoch, withdrawal, Detail.ownAddress));
      return false;
    }
    const nonce = await this.#nonces.next();
    assert(withdrawal.nonce === null, 'a queued withdrawal has no nonce', id);
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
    const { hash, raw, nonce, block, maxFee, priorityFee } = signed;
    const fees = { max_fee: String(maxFee), priority_fee: String(priorityFee) };
    const { treasury } = this.options.chain;
    const row = { tx_hash: hash, withdrawal_id: id, treasury, nonce, raw, signed_block: block, ...fees };
    await this.#write((tx, epoch) => queries.insertSigned(tx, epoch, row));
  }

  async #refused(withdrawal: WithdrawalRow, message: string): Promise<void> {
    const { withdrawal_id: id, refusals } = withdrawal;
    assert(withdrawal.status === 'pending', 'the chain refuses what was not signed', withdrawal.status);
    this.waiting.note(id, 'refused', { refusals: refusals + 1, reason: message });
    if (refusals + 1 >= MOST_REFUSALS) await this.#write((tx, epoch) => queries.fail(tx, epoch, withdrawal, message));
    else {
      const pauseMs = REFUSED_PAUSE_MS * 2 ** refusals;
      await this.#write((tx, epoch) => queries.postpone(tx, epoch, id, { message, pauseMs }));
    }
  }

  /** True when it is decided: paid, reverted for good, or queued again. */
  async #lookAfter(withdrawal: WithdrawalRow): Promise<boolean> {
    const signed = await queries.selectSigned(this.options.sql, withdrawal.withdrawal_id);
    for (const each of signed) {
      const decided = await this.#lookAt(withdrawal, each);
      if (decided !== null) return decided;
    }
    // A transaction from before the withdrawal was queued again has a nonce that others have used.
    const present = signed.filter(
      ({ nonce, treasury }) => nonce === withdrawal.nonce && treasury === withdrawal.treasury,
    );
    return this.#notMined(withdrawal, present);
  }

  /** Null where this one is not mined; else whether it is deep enough. */
  async #lookAt(withdrawal: WithdrawalRow, { tx_hash: txHash, treasury }: SignedRow): Promise<boolean | null> {
    const { chain, confirmations: wanted, log } = this.options;
    const { withdrawal_id: id } = withdrawal;
    const mined = await chain.mined(txHash);
    if (mined === null) return null;
    const paid = paysWithdrawal(mined, withdrawal, treasury);
    const confirmations = await chain.confirmations(mined, wanted);
    if (confirmations < wanted) {
      await this.#write((tx, epoch) => queries.noteMined(tx, epoch, id, { txHash, confirmations }));
      return false;
    }
    const { blockNumber, blockHash } = mined;
    const decision = { txHash, confirmations, blockNumber, blockHash };
    if (paid) {
      await this.#write((tx, epoch) => queries.confirm(tx, epoch, withdrawal, decision));
      log.info({ withdrawal_id: id, tx_hash: txHash }, 'withdrawal paid');
    } else {
      const why = mined.succeeded ? 'the token has moved nothing' : 'the transfer was reverted on the chain';
      await this.#write((tx, epoch) => queries.fail(tx, epoch, withdrawal, why, decision));
      log.error({ withdrawal_id: id, tx_hash: txHash, reason: why }, 'withdrawal reverted: the credits went back');
    }
    return true;
  }

  async #notMined(withdrawal: WithdrawalRow, signed: readonly SignedRow[]): Promise<boolean> {
    const { chain, confirmations, raiseMs, log } = this.options;
    const { withdrawal_id: id, nonce, treasury } = withdrawal;
    const [newest] = signed;
    const oldest = signed.at(-1);
    assert(newest !== undefined && oldest !== undefined, 'a withdrawal under way was signed', id);
    assert(nonce !== null && treasury !== null, 'a withdrawal that was signed has a nonce', id);
    const next = await this.#outgoing.nonce(treasury);
    if (next > nonce) {
      const user = await this.#outgoing.usedBy(treasury, nonce, { from: oldest.signed_block ?? 0, confirmations });
      // Ours after all, or not deep enough yet: the next round sees more.
      if (user === null || signed.some(({ tx_hash: hash }) => hash === user)) return false;
      log.error({ withdrawal_id: id, nonce, tx_hash: user }, 'another transaction has used the nonce of a withdrawal');
      await chain.check(0);
      await this.#write((tx, epoch) => queries.queueAgain(tx, epoch, id));
      return true;
    }
    if (withdrawal.status === 'processing' || !(await this.#outgoing.isKnown(newest.tx_hash))) {
      await this.#send(id, newest.raw);
    }
    if (newest.age_ms <= raiseMs) return false;
    // A raise costs, so only where it helps.
    if (treasury !== chain.treasury) this.waiting.note(id, 'former_treasury', { treasury });
    else if (next < nonce) this.waiting.note(id, 'lower_nonce', { nonce });
    else if ((await chain.height()) <= (newest.signed_block ?? 0)) this.waiting.note(id, 'chain_still');
    else await this.#raise(withdrawal, newest);
    return false;
  }

  /** The same payment with the same nonce for a higher fee. */
  async #raise(withdrawal: WithdrawalRow, older: SignedRow): Promise<void> {
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
      // A signed transaction may be mined at any time, so nothing can be taken back: it stays as it is.
      if (!this.waiting.note(id, 'refused', { reason: error.message })) return;
      await this.#write((tx, epoch) => queries.noteTrouble(tx, epoch, id, { message: error.message, pauseMs: 0 }));
    }
  }

  async #send(id: string, raw: string): Promise<void> {
    const { log } = this.options;
    try {
      await this.#outgoing.send(raw);
    } catch (error) {
      const message = reasonOf(error);
      log.warn({ withdrawal_id: id, reason: message }, 'the RPC node refuses a withdrawal');
      return this.#write((tx, epoch) => queries.noteTrouble(tx, epoch, id, { message, pauseMs: 0 }));
    }
    await this.#write((tx, epoch) => queries.markSubmitted(tx, epoch, id));
  }

  /** For transactions without a stored signer, the signature tells it. */
  async #nameSigners(): Promise<void> {
    for (;;) {
      const unnamed = await queries.selectUnnamed(this.options.sql);
      for (const { tx_hash: txHash, raw } of unnamed) {
        const serializedTransaction = raw as TransactionSerialized;
        const treasury = getAddress(await recoverTransactionAddress({ serializedTransaction }));
        await this.#write((tx) => queries.nameSigner(tx, txHash, treasury));
      }
      if (unnamed.length === 0) return;
    }
  }

  async #write(work: (tx: Transaction, epoch: number) => Promise<unknown>): Promise<void> {
    const epoch = this.#epoch;
    assert(epoch !== null, 'a signer that writes has an epoch');
    const { sql, leadership } = this.options;
    await leadership.transaction(sql, (tx) => work(tx, epoch));
  }
}
