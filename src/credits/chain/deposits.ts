import { assert, assertWhole } from '../../ops/assert.js';
import { randomUUID } from 'node:crypto';
import { Detail, HttpError } from '../../protocol/rest/errors.js';
import { transaction, type Database, type Transaction } from '../../store/database.js';
import type { Leadership } from '../../store/node/leadership.js';
import { asking, type AskingLog } from './asking.js';
import type { Chain, Mined } from './chain.js';
import * as queries from './deposit-queries.js';
import { UNITS_PER_UCENT, type DepositRow } from './deposit-queries.js';
import { sentBy, type Sent } from './qualifying.js';
import type { Claimable, Sources } from './sources.js';
import { Standing } from './standing.js';
import { isGeneral } from './waiting.js';

export interface DepositOptions {
  sql: Database;
  leadership: Leadership;
  chain: Chain;
  /** Blocks, the deposit's own included, before it is credited. */
  confirmations: number;
  /** Credited ones are looked at for so many hours. */
  watchHours: number;
  sources: Sources;
  log: AskingLog;
}

/** An agent's claims on a transaction, for all its wallets together. */
export type DepositClaim = Pick<
  DepositRow,
  'deposit_id' | 'tx_hash' | 'log_index' | 'status' | 'units' | 'confirmations'
> & {
  ucents: number;
};

/** Deposits from their claim to the credit: each transfer is credited once, whoever names it how often. */
export class Deposits {
  readonly #standing: Standing;
  /** Those about which the node's answers were refused at the last look. */
  #refused = new Set<string>();

  constructor(private readonly options: DepositOptions) {
    this.#standing = new Standing(options.chain, options.confirmations, options.log);
  }

  /**
   * Takes down what the agent's wallets move in the transaction as deposits of the agent, and credits them where the
   * chain has confirmed them already. The same claim again answers the same deposit; one that is credited is refused.
   * Throws HttpError 400, 403 or 503.
   */
  async claim(agentId: string, txHash: string): Promise<DepositClaim> {
    const { sql, sources } = this.options;
    const hash = txHash.toLowerCase();
    await sources.requireWallet(agentId);
    const before = await queries.selectDeposits(sql, hash);
    const mined = await this.#mined(hash, before);
    const claimable = await sources.claimable(agentId, mined, before);
    for (const each of claimable) await this.#insert(agentId, hash, mined, each);
    const own = async () => (await queries.selectDeposits(sql, hash)).filter(({ agent_id: of }) => of === agentId);
    const open = (await own()).filter(({ status }) => status !== 'confirmed');
    if (open.length === 0) throw new HttpError(400, Detail.alreadyCredited);
    await asking(this.options.log, async () => {
      for (const deposit of open) await this.#follow(deposit, mined, null);
    });
    const ids = new Set(open.map(({ deposit_id: id }) => id));
    return together((await own()).filter(({ deposit_id: id }) => ids.has(id)));
  }

  async #insert(agentId: string, hash: string, mined: Mined, { from, proofId, ...sent }: Claimable): Promise<void> {
    await queries.insertDeposit(this.options.sql, {
      deposit_id: randomUUID(),
      tx_hash: hash,
      agent_id: agentId,
      wallet: from,
      proof_id: proofId,
      treasury: this.options.chain.treasury,
      block_number: mined.blockNumber,
      block_hash: mined.blockHash,
      units: countable(sent),
      log_index: sent.logIndex,
    });
  }

  /**
   * Looks at every deposit that is not decided, and credits those that are due. Throws what is about node or database;
   * what is about one of them is logged, and holds up no other.
   */
  async followAll(): Promise<void> {
    const { sql, leadership, chain, log } = this.options;
    const open = await queries.selectOpenDeposits(sql);
    if (open.length === 0) return;
    await chain.check();
    const refused = new Set<string>();
    for (const deposit of open) {
      try {
        await this.#follow(deposit, await chain.mined(deposit.tx_hash), leadership);
      } catch (error) {
        if (isGeneral(error)) throw error;
        const { deposit_id: id, tx_hash: txHash } = deposit;
        refused.add(id);
        const news = !this.#refused.has(id);
        if (news)
          log.error(
            { deposit_id: id, tx_hash: txHash, err: error },
            'one deposit cannot be followed, the others are followed',
          );
      }
    }
    this.#refused = refused;
  }

  /** Looks whether the chain still has what was credited, and tells the operator of what it has not. */
  async watchCredited(): Promise<void> {
    const { sql, watchHours } = this.options;
    const credited = await queries.selectCredited(sql, watchHours);
    await this.#standing.look(
      credited.map((deposit) => ({
        id: deposit.deposit_id,
        place: placeOf(deposit),
        lost: deposit.lost_at !== null,
        moved: () => this.#moved(deposit),
      })),
    );
  }

  async #moved(deposit: DepositRow): Promise<void> {
    const { sql, leadership, chain, log } = this.options;
    const { deposit_id: id, tx_hash: txHash, agent_id: agentId } = deposit;
    const mined = await chain.mined(txHash);
    const lost =
      mined === null
        ? await chain.replaced(placeOf(deposit), txHash)
        : (this.#sent(deposit, mined)?.units ?? 0n) < BigInt(deposit.units);
    if (mined === null && !lost) return;
    await chain.check(0);
    if (mined !== null && !lost) await queries.moveCredited(sql, leadership, id, mined);
    if (!(await queries.markLost(sql, leadership, id, lost))) return;
    const detail = { deposit_id: id, tx_hash: txHash, agent_id: agentId };
    if (lost) log.error(detail, 'a credited deposit is no longer part of the chain');
    else log.info(detail, 'a credited deposit is part of the chain again');
  }

  async #mined(hash: string, known: readonly DepositRow[]): Promise<Mined> {
    const { chain, log } = this.options;
    const mined = await asking(log, async () => {
      await chain.check();
      return chain.mined(hash);
    });
    if (mined === null) {
      const credited = known.some(({ status }) => status === 'confirmed');
      throw new HttpError(400, credited ? Detail.alreadyCredited : Detail.transactionUnknown);
    }
    if (!mined.succeeded) throw new HttpError(400, Detail.transactionFailed);
    return mined;
  }

  /** By the leader's clock, or (null) for the agent that claims it, at whatever node. */
  async #follow(deposit: DepositRow, mined: Mined | null, leadership: Leadership | null): Promise<void> {
    const { sql, chain, confirmations: wanted, log } = this.options;
    if (deposit.status === 'confirmed') return;
    const { deposit_id: id } = deposit;
    if (mined === null) return this.#missing(deposit, leadership);
    // Mined again after a reorganisation, a contract may have moved something else than before.
    const sent = this.#sent(deposit, mined);
    if (sent === null || sent.units > Number.MAX_SAFE_INTEGER) return this.#orphaned(deposit, leadership);
    const { blockNumber, blockHash } = mined;
    const units = Number(sent.units);
    assertWhole(units, 'the units of a deposit');
    const confirmations = await chain.confirmations(mined, wanted);
    if (confirmations < wanted) {
      const seen = { status: 'pending' as const, confirmations, units, blockNumber, blockHash };
      return queries.updateOpenDeposit(sql, leadership, deposit, seen);
    }
    const place = { confirmations, blockNumber, blockHash };
    const credit = (tx: Transaction) => queries.creditDeposit(tx, deposit, { ...place, units });
    const credited = await (leadership === null ? transaction(sql, credit) : leadership.transaction(sql, credit));
    if (credited) log.info({ deposit_id: id, tx_hash: deposit.tx_hash, units }, 'deposit credited');
  }

  async #missing(deposit: DepositRow, leadership: Leadership | null): Promise<void> {
    const { chain } = this.options;
    const { status, tx_hash: txHash } = deposit;
    assert(status !== 'confirmed', 'a credited deposit is not followed', deposit.deposit_id);
    // A node that is late has no receipt either.
    if (status !== 'orphaned' && (await chain.replaced(placeOf(deposit), txHash)))
      return this.#orphaned(deposit, leadership);
  }

  async #orphaned(deposit: DepositRow, leadership: Leadership | null): Promise<void> {
    const { sql, log } = this.options;
    const seen = { status: 'orphaned' as const, confirmations: 0 };
    await queries.updateOpenDeposit(sql, leadership, deposit, seen);
    if (deposit.status !== 'orphaned') {
      log.warn({ deposit_id: deposit.deposit_id, tx_hash: deposit.tx_hash }, 'a reorganisation dropped a deposit');
    }
  }

  #sent({ wallet, treasury }: DepositRow, mined: Mined): Sent | null {
    return sentBy(wallet, treasury ?? this.options.chain.treasury, mined);
  }
}

const placeOf = ({ block_number: blockNumber, block_hash: blockHash }: DepositRow) => ({ blockNumber, blockHash });

/** Throws HttpError 400 for more than there is of any token that is worth something. */
function countable({ units }: Pick<Sent, 'units'>): number {
  if (units > Number.MAX_SAFE_INTEGER) throw new HttpError(400, Detail.tooLarge);
  return Number(units);
}

/** Several wallets of one agent in one transaction are one claim; it is confirmed when all of it is. */
function together(rows: readonly DepositRow[]): DepositClaim {
  const [first] = rows;
  assert(first !== undefined, 'a claimed deposit is stored');
  assert(
    rows.every(({ tx_hash }) => tx_hash === first.tx_hash),
    'a claim is of one transaction',
  );
  const { deposit_id, tx_hash, log_index } = first;
  const least = rows.reduce((a, b) => (b.status !== 'confirmed' && b.confirmations <= a.confirmations ? b : a));
  return {
    deposit_id,
    tx_hash,
    log_index,
    status: least.status,
    confirmations: least.confirmations,
    units: rows.reduce((sum, { units }) => sum + units, 0),
    ucents: rows.reduce((sum, { units }) => sum + Math.floor(units / UNITS_PER_UCENT), 0),
  };
}
