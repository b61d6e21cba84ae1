import type { Database, Transaction } from '../../store/database.js';
import type { AskingLog } from './asking.js';
import type { Chain, Mined } from './chain.js';
import * as queries from './decided-queries.js';
import { NotCovered, type DecidedRow } from './decided-queries.js';
import { UNITS_PER_UCENT } from './deposit-queries.js';
import { pays } from './qualifying.js';
import { selectSigned, type SignedRow } from './signer-queries.js';
import { Standing } from './standing.js';
import type { WithdrawalRow } from './withdrawal-queries.js';

export interface DecidedOptions {
  sql: Database;
  chain: Chain;
  confirmations: number;
  watchHours: number;
  log: AskingLog;
  write: (work: (tx: Transaction, epoch: number) => Promise<unknown>) => Promise<void>;
}

/** A transaction of a withdrawal that the chain has. */
interface Found {
  txHash: string;
  mined: Mined;
  paid: boolean;
}

/** Whether the transaction, signed by that treasury, pays the withdrawal. Throws Unbelievable where it pays another amount. */
export const paysWithdrawal = (mined: Mined, { to_address: to, ucents }: WithdrawalRow, treasury: string): boolean =>
  pays(mined, { from: treasury, to, units: BigInt(ucents) * BigInt(UNITS_PER_UCENT) });

/**
 * Decided withdrawals, for as long as a reorganisation may take the decision back. A paid withdrawal that the chain has
 * dropped is under way again, with its signed transaction. A failed one that the chain pays after all is settled from
 * the credits that were given back.
 */
export class DecidedWithdrawals {
  readonly #standing: Standing;
  /** The last report of each withdrawal that cannot be settled. */
  readonly #reported = new Set<string>();

  constructor(private readonly options: DecidedOptions) {
    this.#standing = new Standing(options.chain, options.confirmations, options.log);
  }

  /** Throws what is about node or database. */
  async look(): Promise<void> {
    const { sql, watchHours } = this.options;
    const decided = await queries.selectDecided(sql, watchHours);
    await this.#standing.look(
      decided.map((row) => ({
        id: row.withdrawal_id,
        place: placeOf(row),
        lost: row.lost_at !== null,
        moved: () => this.#moved(row),
      })),
    );
  }

  async #moved(row: DecidedRow): Promise<void> {
    const signed = await selectSigned(this.options.sql, row.withdrawal_id);
    const found: Found[] = [];
    for (const { tx_hash: txHash, treasury } of signed) {
      const mined = await this.options.chain.mined(txHash);
      if (mined !== null) found.push({ txHash, mined, paid: paysWithdrawal(mined, row, treasury) });
    }
    const paid = found.filter((each) => each.paid);
    if (paid.length > 1)
      this.#tell(
        row,
        'the chain has paid a withdrawal twice',
        paid.map(({ txHash }) => txHash),
      );
    if (row.status === 'confirmed') return this.#confirmed(row, signed, found, paid[0]);
    return this.#failed(row, found, paid[0]);
  }

  async #confirmed(row: DecidedRow, signed: SignedRow[], found: Found[], paid: Found | undefined): Promise<void> {
    const { chain, log, write } = this.options;
    if (paid !== undefined) return this.#move(row, paid);
    // A node that is late has no receipt either.
    if (found.length === 0 && !(await this.#isGone(row, signed))) return;
    await chain.check(0);
    const { withdrawal_id: id, tx_hash: txHash, nonce } = row;
    await write((tx, epoch) => queries.reopen(tx, epoch, row));
    log.error(
      { withdrawal_id: id, tx_hash: txHash, nonce },
      'a paid withdrawal is no longer part of the chain: it is sent again',
    );
  }

  async #failed(row: DecidedRow, found: Found[], paid: Found | undefined): Promise<void> {
    const { chain, confirmations: wanted, log, write } = this.options;
    const { withdrawal_id: id, agent_id: agentId } = row;
    if (paid !== undefined) {
      await chain.check(0);
      const { txHash, mined } = paid;
      if (row.lost_at === null) {
        await write((tx, epoch) => queries.markPaidAfterAll(tx, epoch, id, true));
        log.error(
          { withdrawal_id: id, tx_hash: txHash, agent_id: agentId },
          'the chain pays a withdrawal after its credits were returned',
        );
      }
      const confirmations = await chain.confirmations(mined, wanted);
      if (confirmations < wanted) return;
      const { blockNumber, blockHash } = mined;
      try {
        await write((tx, epoch) =>
          queries.settlePaid(tx, epoch, row, { txHash, confirmations, blockNumber, blockHash }),
        );
        log.info(
          { withdrawal_id: id, tx_hash: txHash },
          'credits of a paid withdrawal, which had been returned, are taken again',
        );
      } catch (error) {
        if (!(error instanceof NotCovered)) throw error;
        this.#tell(row, 'a withdrawal was paid and given back, and its agent has spent it: its withdrawals are held', [
          txHash,
        ]);
      }
      return;
    }
    const [reverted] = found;
    if (reverted !== undefined) {
      if (row.lost_at !== null) await write((tx, epoch) => queries.markPaidAfterAll(tx, epoch, id, false));
      return this.#move(row, reverted);
    }
    const place = placeOf(row);
    if (place === null || row.tx_hash === null || !(await chain.replaced(place, row.tx_hash))) return;
    await chain.check(0);
    await write((tx, epoch) => queries.movePlace(tx, epoch, row, null));
    log.error(
      { withdrawal_id: id, nonce: row.nonce },
      'a failed withdrawal is no longer part of the chain: its nonce is free',
    );
  }

  async #move(row: DecidedRow, { txHash, mined: { blockNumber, blockHash } }: Found): Promise<void> {
    if (row.block_hash === blockHash) return;
    await this.options.write((tx, epoch) => queries.movePlace(tx, epoch, row, { txHash, blockNumber, blockHash }));
  }

  /** Another block is in its place; where no place is known, the nonces of all that was signed are free. */
  async #isGone(row: DecidedRow, signed: readonly SignedRow[]): Promise<boolean> {
    const { chain } = this.options;
    const place = placeOf(row);
    if (place !== null && row.tx_hash !== null) return chain.replaced(place, row.tx_hash);
    const head = await chain.height();
    for (const { treasury, nonce } of signed) {
      if ((await chain.count(treasury, 'latest')) > nonce || (await chain.count(treasury, head)) > nonce) return false;
    }
    return true;
  }

  #tell({ withdrawal_id: id, agent_id: agentId }: DecidedRow, what: string, hashes: string[]): void {
    if (!this.#reported.has(`${id} ${what}`)) {
      this.options.log.error({ withdrawal_id: id, agent_id: agentId, tx_hashes: hashes }, what);
    }
    this.#reported.add(`${id} ${what}`);
  }
}

const placeOf = ({ block_number: blockNumber, block_hash: blockHash }: DecidedRow) =>
  blockNumber === null || blockHash === null ? null : { blockNumber, blockHash };
