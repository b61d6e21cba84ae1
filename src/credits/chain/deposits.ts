import { randomUUID } from 'node:crypto';
import { Detail, HttpError } from '../../protocol/rest/errors.js';
import { transaction, type Database } from '../../store/database.js';
import type { Chain, Mined } from './chain.js';
import * as queries from './deposit-queries.js';
import type { DepositRow } from './deposit-queries.js';

export interface DepositOptions {
  sql: Database;
  chain: Chain;
  /** Blocks, the deposit's own included, before it is credited. */
  confirmations: number;
  log: Log;
}

export interface Log {
  info(detail: object, message: string): void;
  warn(detail: object, message: string): void;
  error(detail: object, message: string): void;
}

/** Deposits from their claim to the credit: each transaction is credited once, whoever names it how often. */
export class Deposits {
  constructor(private readonly options: DepositOptions) {}

  /**
   * Takes down the transaction as a deposit of the agent and credits it where the chain has confirmed it already. The
   * same claim again answers the same deposit; one that is credited is refused. Throws HttpError 400 or 503.
   */
  async claim(agentId: string, txHash: string): Promise<DepositRow> {
    const { sql } = this.options;
    const hash = txHash.toLowerCase();
    const wallet = await queries.selectWallet(sql, agentId);
    if (wallet === null) throw new HttpError(400, Detail.walletNotSet);
    const known = await queries.selectDeposit(sql, hash);
    if (known !== undefined) refuseCredited(known, agentId);
    const mined = await this.#ask(() => this.#mined(hash));
    const place = { block_number: mined.blockNumber, block_hash: mined.blockHash };
    const deposit =
      known ??
      (await queries.insertDeposit(sql, {
        ...{ deposit_id: randomUUID(), tx_hash: hash, agent_id: agentId, wallet, ...place },
        ...transferOf(mined, wallet),
      })) ??
      // Named by another request in this moment.
      (await queries.selectDeposit(sql, hash));
    if (deposit === undefined) throw new Error('a deposit is gone that was there');
    refuseCredited(deposit, agentId);
    await this.#ask(() => this.#follow(deposit, mined));
    return (await queries.selectDeposit(sql, hash)) ?? deposit;
  }

  /** Looks at every deposit that is not decided, and credits those that are due. Throws what the node throws. */
  async followAll(): Promise<void> {
    const { sql, chain } = this.options;
    const open = await queries.selectOpenDeposits(sql);
    if (open.length === 0) return;
    await chain.check();
    for (const deposit of open) await this.#follow(deposit, await chain.mined(deposit.tx_hash));
  }

  /** Looks whether the chain still has what was credited, and tells the operator of what it has not. */
  async watchCredited(): Promise<void> {
    const { sql, chain, log } = this.options;
    for (const deposit of await queries.selectCredited(sql)) {
      const { deposit_id: id, tx_hash: txHash, agent_id: agentId } = deposit;
      const mined = await chain.mined(txHash);
      const lost = mined === null ? await this.#dropped(deposit) : !brings(mined, deposit);
      if (lost === null) continue;
      if (mined !== null && !lost) await queries.moveCredited(sql, id, mined);
      if (!(await queries.markLost(sql, id, lost))) continue;
      const detail = { deposit_id: id, tx_hash: txHash, agent_id: agentId };
      if (lost) log.error(detail, 'a credited deposit is no longer part of the chain');
      else log.info(detail, 'a credited deposit is part of the chain again');
    }
  }

  async #mined(hash: string): Promise<Mined> {
    const { chain } = this.options;
    await chain.check();
    const mined = await chain.mined(hash);
    if (mined === null) throw new HttpError(400, Detail.transactionUnknown);
    if (!mined.succeeded) throw new HttpError(400, Detail.transactionFailed);
    return mined;
  }

  async #follow(deposit: DepositRow, mined: Mined | null): Promise<void> {
    const { sql, chain, confirmations: wanted, log } = this.options;
    if (deposit.status === 'confirmed') return;
    const { deposit_id: id } = deposit;
    if (mined === null) return this.#missing(deposit);
    // Mined again after a reorganisation, a contract may have moved something else than before.
    const transfer = qualifying(mined, deposit.wallet);
    if (transfer === null || transfer.units > Number.MAX_SAFE_INTEGER) return this.#orphaned(deposit);
    const { blockNumber, blockHash } = mined;
    const { units } = transfer;
    const confirmations = await chain.confirmations(blockNumber, blockHash, wanted);
    if (confirmations < wanted) {
      return queries.updateOpenDeposit(sql, id, { status: 'pending', confirmations, units, blockNumber, blockHash });
    }
    const place = { confirmations, blockNumber, blockHash };
    const credited = await transaction(sql, (tx) => queries.creditDeposit(tx, { ...deposit, units }, place));
    if (credited) log.info({ deposit_id: id, tx_hash: deposit.tx_hash, units }, 'deposit credited');
  }

  async #missing(deposit: DepositRow): Promise<void> {
    if (deposit.status !== 'orphaned' && (await this.#dropped(deposit))) return this.#orphaned(deposit);
  }

  /** Of a deposit without a receipt: true once its block has been replaced. Null: a node that is late knows none, too. */
  async #dropped({ block_number: number, block_hash: hash }: DepositRow): Promise<true | null> {
    return (await this.options.chain.replaced(number, hash)) || null;
  }

  async #orphaned(deposit: DepositRow): Promise<void> {
    const { sql, log } = this.options;
    await queries.updateOpenDeposit(sql, deposit.deposit_id, { status: 'orphaned', confirmations: 0 });
    if (deposit.status !== 'orphaned') {
      log.warn({ deposit_id: deposit.deposit_id, tx_hash: deposit.tx_hash }, 'a reorganisation dropped a deposit');
    }
  }

  /** Throws HttpError 503 where the node does not answer, or not as it should. */
  async #ask<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch (error) {
      if (error instanceof HttpError) throw error;
      this.options.log.warn({ err: error }, 'the chain was asked in vain');
      throw new HttpError(503, Detail.chainAway);
    }
  }
}

function refuseCredited(deposit: DepositRow, agentId: string): void {
  if (deposit.status === 'confirmed' || deposit.agent_id !== agentId) {
    throw new HttpError(400, Detail.alreadyCredited);
  }
}

/** Throws HttpError 400 where nothing of the transaction counts as the wallet's deposit. */
function transferOf(mined: Mined, wallet: string): Qualifying {
  const transfer = qualifying(mined, wallet);
  if (transfer === null) throw new HttpError(400, Detail.noTransfer);
  if (transfer.units > Number.MAX_SAFE_INTEGER) throw new HttpError(400, Detail.tooLarge);
  return transfer;
}

interface Qualifying {
  units: number;
  log_index: number;
}

/** Whether the transaction still moves what was credited for it: mined again, a contract may move less, or fail. */
function brings(mined: Mined, { wallet, units }: DepositRow): boolean {
  return (qualifying(mined, wallet)?.units ?? 0) >= units;
}

/** The transfers of the wallet to the treasury together, or null where there is none. */
function qualifying({ incoming }: Mined, wallet: string): Qualifying | null {
  const own = incoming.filter(({ from, units }) => from === wallet && units > 0n);
  const [first] = own;
  if (first === undefined) return null;
  return { units: Number(own.reduce((sum, { units }) => sum + units, 0n)), log_index: first.logIndex };
}
