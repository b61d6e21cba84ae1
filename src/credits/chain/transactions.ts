import { assert, assertWhole } from '../../ops/assert.js';
import { BaseError, keccak256, RpcRequestError, type Hex } from 'viem';
import { fullBlockOf, knows, takenOf, Unbelievable } from './answers.js';
import type { Chain } from './chain.js';

/** A node's answers about a known transaction or a used nonce. They are harmless. */
const KNOWN = /already known|already imported|already in pool|nonce too low|ALREADY_EXISTS/i;
/** Blocks read in one go where a node keeps no old states. */
const WALK = 50;

/** Transactions of our addresses: the parts that need no key. */
export class ChainTransactions {
  /** The next block to be read, by address and nonce. */
  readonly #walked = new Map<string, number>();

  constructor(private readonly chain: Chain) {}

  /** Transactions of the address that the chain has, at its head: the nonce that is mined next. */
  nonce(address: string): Promise<number> {
    return this.chain.count(address, 'latest');
  }

  /**
   * Gives a signed transaction to the node. Resolves where it has it already; throws why it does not take it, or
   * Unbelievable where it has taken something else.
   */
  async send(raw: string): Promise<void> {
    const hash = keccak256(raw as Hex);
    try {
      await this.chain.ask('eth_sendRawTransaction', [raw], (answer) => takenOf(answer, hash));
    } catch (error) {
      if (error instanceof Unbelievable || !KNOWN.test(reasonOf(error))) throw error;
    }
  }

  /** Whether the node has it, mined or waiting. */
  isKnown(hash: string): Promise<boolean> {
    return this.chain.ask('eth_getTransactionByHash', [hash], (answer) => knows(answer, hash));
  }

  /**
   * Whether the chain has so many transactions of the address, the last of them so deep: its block shows it. A node
   * without old states, asked where nothing is known of the address (`from` is null), is believed by its counts alone.
   */
  async proves(
    address: string,
    count: number,
    { from, confirmations }: { from: number | null; confirmations: number },
  ): Promise<boolean> {
    assert(count > 0, 'a transaction that is proven was counted', count);
    const deep = (await this.chain.height()) - confirmations + 1;
    if (deep < 0 || (await this.chain.count(address, deep)) < count) return false;
    if (from === null && (await this.#isPruned(address))) return true;
    return (await this.usedBy(address, count - 1, { from: from ?? 0, confirmations })) !== null;
  }

  async #isPruned(address: string): Promise<boolean> {
    try {
      await this.chain.count(address, 0);
      return false;
    } catch (error) {
      if (saidByNode(error)) return true;
      throw error;
    }
  }

  /**
   * The hash of the transaction with this nonce, if it is at least so many blocks deep. Null: there is none yet. `from`
   * is the head of the chain when something of ours was signed with it. Looks it up in its block: a node that is only
   * late with our receipt proves nothing.
   */
  async usedBy(
    address: string,
    nonce: number,
    { from, confirmations }: { from: number; confirmations: number },
  ): Promise<string | null> {
    assertWhole(nonce, 'the nonce that is looked for');
    const low = Math.max(0, from - confirmations);
    const block = await this.#blockOf(address, nonce, low);
    if (block === null) return null;
    const { number, hash, transactions } = await this.#read(block);
    const user = transactions.find((tx) => tx.from === address && tx.nonce === nonce);
    if (user === undefined) return null;
    const seen = await this.chain.confirmations({ blockNumber: number, blockHash: hash }, confirmations);
    return seen < confirmations ? null : user.hash;
  }

  /** The first block above `low` after which the nonce is used. */
  async #blockOf(address: string, nonce: number, from: number): Promise<number | null> {
    const count = (block: number) => this.chain.count(address, block);
    const head = await this.chain.height();
    if ((await count(head)) <= nonce) return null;
    let [low, high] = [Math.min(from, head), head];
    try {
      // Where the head was told wrong when it was signed, the block lies below.
      while (low > 0 && (await count(low)) > nonce) [low, high] = [Math.floor(low / 2), low];
      if (low === 0 && (await count(0)) > nonce) return null;
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        if ((await count(middle)) > nonce) high = middle;
        else low = middle;
      }
      return high;
    } catch (error) {
      if (!saidByNode(error)) throw error;
      return this.#walk(address, nonce, { low, high: head });
    }
  }

  /** The same with a node that keeps the states of its last blocks only: reads on, block by block, from call to call. */
  async #walk(address: string, nonce: number, { low, high }: { low: number; high: number }): Promise<number | null> {
    assert(low <= high, 'blocks are read from the lower one on', low);
    const key = `${address} ${nonce}`;
    const begin = this.#walked.get(key) ?? low;
    const end = Math.min(high, begin + WALK);
    for (let number = begin; number <= end; number++) {
      const { transactions } = await this.#read(number);
      if (transactions.some((tx) => tx.from === address && tx.nonce === nonce)) return number;
    }
    // The newest ones may be replaced yet.
    this.#walked.set(key, end < high ? end + 1 : low);
    return null;
  }

  async #read(number: number) {
    const asked = [`0x${number.toString(16)}`, true];
    const block = await this.chain.ask('eth_getBlockByNumber', asked, (answer) => fullBlockOf(answer, number));
    if (block === null) throw new Unbelievable(`the node does not show block ${number}`);
    return block;
  }
}

/** The node has answered, with an error of its own. */
const saidByNode = (error: unknown) =>
  error instanceof BaseError && error.walk((e) => e instanceof RpcRequestError) !== null;

/** The node's own words, without our addresses. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof BaseError)) return (error as Error).message;
  const reported = error.walk((e) => e instanceof RpcRequestError);
  return reported instanceof RpcRequestError ? reported.details : error.shortMessage;
}
