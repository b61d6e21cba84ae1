import { getAddress, RpcRequestError, TransactionNotFoundError, BaseError, type Address, type Hex } from 'viem';
import type { Chain } from './chain.js';

/** What a node says of a transaction that it has already, or whose nonce is used: no reason to worry. */
const KNOWN = /already known|already imported|already in pool|nonce too low|ALREADY_EXISTS/i;
/** Blocks read in one go where a node keeps no old states. */
const WALK = 50;

/** What addresses of ours send: whatever of it needs no key. */
export class ChainTransactions {
  /** The next block to be read, by address and nonce. */
  readonly #walked = new Map<string, number>();

  constructor(private readonly chain: Chain) {}

  /** Transactions of the address that the chain has, at its head: the nonce that is mined next. */
  nonce(address: string): Promise<number> {
    return this.chain.client.getTransactionCount({ address: address as Address, blockTag: 'latest' });
  }

  /** Gives a signed transaction to the node. Resolves where it has it already; throws why it does not take it. */
  async send(raw: string): Promise<void> {
    try {
      await this.chain.client.sendRawTransaction({ serializedTransaction: raw as Hex });
    } catch (error) {
      if (!KNOWN.test(reasonOf(error))) throw error;
    }
  }

  /** Whether the node has it, mined or waiting. */
  async isKnown(hash: string): Promise<boolean> {
    try {
      await this.chain.client.getTransaction({ hash: hash as Hex });
      return true;
    } catch (error) {
      if (error instanceof TransactionNotFoundError) return false;
      throw error;
    }
  }

  /**
   * The hash of the transaction that has used this nonce, where it lies at least so many blocks deep in the chain; null
   * where there is none (yet). `from` is the head of the chain when something of ours was signed with it. Looks it up
   * in its block: a node that is only late with our receipt proves nothing.
   */
  async usedBy(
    address: string,
    nonce: number,
    { from, confirmations }: { from: number; confirmations: number },
  ): Promise<string | null> {
    const low = Math.max(0, from - confirmations);
    const block = await this.#blockOf(address, nonce, low);
    if (block === null) return null;
    const { number, hash, transactions } = await this.#read(block);
    const user = transactions.find((tx) => getAddress(tx.from) === address && tx.nonce === nonce);
    if (user === undefined) return null;
    const seen = await this.chain.confirmations(Number(number), hash, confirmations);
    return seen < confirmations ? null : user.hash;
  }

  /** The first block above `low` after which the nonce is used. */
  async #blockOf(address: string, nonce: number, low: number): Promise<number | null> {
    const count = (block: number) =>
      this.chain.client.getTransactionCount({ address: address as Address, blockNumber: BigInt(block) });
    let high = await this.chain.height();
    if ((await count(high)) <= nonce) return null;
    try {
      if ((await count(low)) > nonce) return null;
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        if ((await count(middle)) > nonce) high = middle;
        else low = middle;
      }
      return high;
    } catch (error) {
      const pruned = error instanceof BaseError && error.walk((e) => e instanceof RpcRequestError) !== null;
      if (!pruned) throw error;
      return this.#walk(address, nonce, { low, high });
    }
  }

  /** The same with a node that keeps the states of its last blocks only: reads on, block by block, from call to call. */
  async #walk(address: string, nonce: number, { low, high }: { low: number; high: number }): Promise<number | null> {
    const key = `${address} ${nonce}`;
    const begin = this.#walked.get(key) ?? low;
    const end = Math.min(high, begin + WALK);
    for (let number = begin; number <= end; number++) {
      const { transactions } = await this.#read(number);
      if (transactions.some((tx) => getAddress(tx.from) === address && tx.nonce === nonce)) return number;
    }
    // The newest ones may be replaced yet.
    this.#walked.set(key, end < high ? end + 1 : low);
    return null;
  }

  #read(number: number) {
    return this.chain.client.getBlock({ blockNumber: BigInt(number), includeTransactions: true });
  }
}

/** What the node itself said, without addresses of ours. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof BaseError)) return (error as Error).message;
  const reported = error.walk((e) => e instanceof RpcRequestError);
  return reported instanceof RpcRequestError ? reported.details : error.shortMessage;
}
