import { assert, assertWhole } from '../../ops/assert.js';
import {
  createPublicClient,
  getAddress,
  http,
  parseAbi,
  verifyMessage,
  type Address,
  type Hex,
  type PublicClient,
  type Transport,
} from 'viem';
import * as answers from './answers.js';
import { Unbelievable, type Block, type ChainPlace, type Transfer } from './answers.js';

export interface ChainSettings {
  rpcUrl: string;
  chainId: number;
  /** A stablecoin with 6 decimals. */
  token: string;
  /** Where deposits go to and withdrawals come from. */
  treasury: string;
}

export const TOKEN_ABI = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
  'function decimals() view returns (uint8)',
]);
const DECIMALS = 6;
const TIMEOUT_MS = 5000;
const MOST_BYTES = 64 * 1024 * 1024;
/** Chain id and token are asked again after so long, and after each failure. */
const CHECK_MS = 30_000;
/** A node behind a balancer may lack the newest blocks that another has told of. */
const BEHIND = 8;

export interface Mined extends ChainPlace {
  succeeded: boolean;
  /** Every transfer of the token in it, none when it did not succeed. */
  transfers: Transfer[];
}

/** The node's answers make no sense: another chain, another token. */
export class WrongChain extends Error {
  override name = 'WrongChain';
}

/**
 * The chain as one node tells it. A node may be away, late, or wrong. So each answer is held against its question. Each
 * decisive fact needs two answers (a receipt and the logs of its block). Depth counts only blocks that were seen
 * linked.
 */
export class Chain {
  readonly client: PublicClient;
  readonly token: Address;
  readonly treasury: Address;
  readonly chainId: number;
  /** When it was last found right, in ms; null after a failure. */
  #checkedAt: number | null = null;

  constructor({ rpcUrl, chainId, token, treasury }: ChainSettings, transport?: Transport) {
    const wire = transport ?? http(rpcUrl, { timeout: TIMEOUT_MS, retryCount: 0, maxResponseBodySize: MOST_BYTES });
    this.client = createPublicClient({ transport: this.#doubting(wire), cacheTime: 0 });
    this.token = getAddress(token);
    this.treasury = getAddress(treasury);
    this.chainId = chainId;
  }

  /** Throws WrongChain unless the node serves the chain and the token that are meant, as of so many ms ago at most. */
  async check(maxAgeMs = CHECK_MS): Promise<void> {
    if (this.#checkedAt !== null && performance.now() - this.#checkedAt < maxAgeMs) return;
    this.#checkedAt = null;
    const at = performance.now();
    const chainId = await this.ask('eth_chainId', [], (answer) => answers.numberOf(answer, 'the id of the chain'));
    if (chainId !== this.chainId) throw new WrongChain(`the node serves chain ${chainId}, not ${this.chainId}`);
    const decimals = await this.client.readContract({ address: this.token, abi: TOKEN_ABI, functionName: 'decimals' });
    if (decimals !== DECIMALS) throw new WrongChain(`the token has ${decimals} decimals, not ${DECIMALS}`);
    this.#checkedAt = at;
  }

  /**
   * The transaction as it is mined, or null where the chain does not have it (yet, or any more) as such. Throws
   * Unbelievable where receipt, block and logs do not say the same.
   */
  async mined(txHash: string): Promise<Mined | null> {
    const hash = txHash.toLowerCase();
    const receipt = await this.ask('eth_getTransactionReceipt', [hash], (answer) => answers.receiptOf(answer, hash));
    if (receipt === null) return null;
    const { blockNumber, blockHash, succeeded } = receipt;
    const block = await this.block(blockNumber);
    if (block === null || block.hash !== blockHash) return null;
    if (!block.transactions.includes(hash)) {
      throw this.#doubt(new Unbelievable(`block ${blockNumber} does not hold ${hash}`));
    }
    const asked = { blockNumber, blockHash, address: this.token, topic: answers.TRANSFER_TOPIC };
    const filter = { blockHash, address: this.token, topics: [answers.TRANSFER_TOPIC] };
    const transfers = await this.ask('eth_getLogs', [filter], (answer) =>
      answers.transfersOf(receipt, answers.logsOf(answer, asked), hash, this.token),
    );
    return { succeeded, blockNumber, blockHash, transfers };
  }

  /**
   * Confirmations of a block: itself and those linked above it, up to `wanted`; 0 where it is not part of the chain.
   * Counted along the parent hashes, so that a node which only claims a height proves nothing.
   */
  async confirmations({ blockNumber, blockHash }: ChainPlace, wanted: number): Promise<number> {
    assert(wanted > 0, 'a block has itself as a confirmation', wanted);
    let parent = await this.block(blockNumber);
    if (parent === null || parent.hash !== blockHash) return 0;
    for (let seen = 1; seen < wanted; seen++) {
      const next = await this.block(blockNumber + seen);
      if (next === null || next.parentHash !== parent.hash) return seen;
      parent = next;
    }
    return wanted;
  }

  /**
   * Whether the chain has another block where this one was, without this transaction. The block above it must agree:
   * one answer alone proves nothing.
   */
  async replaced({ blockNumber, blockHash }: ChainPlace, txHash: string): Promise<boolean> {
    const block = await this.block(blockNumber);
    if (block === null || block.hash === blockHash || block.transactions.includes(txHash)) return false;
    const above = await this.block(blockNumber + 1);
    return above !== null && above.parentHash === block.hash;
  }

  /** The block with that number. Null: the node has none. */
  block(number: number | 'latest'): Promise<Block | null> {
    if (number !== 'latest') assertWhole(number, 'the number of a block');
    const named = number === 'latest' ? number : hexOf(number);
    return this.ask('eth_getBlockByNumber', [named, false], (answer) => answers.blockOf(answer, number));
  }

  /** The number of the newest block that the node shows, not only names. */
  async height(): Promise<number> {
    const latest = await this.block('latest');
    for (
      let number = latest?.number ?? -1;
      latest !== null && number >= Math.max(0, latest.number - BEHIND);
      number--
    ) {
      if ((await this.block(number)) !== null) return number;
    }
    throw this.#doubt(new Unbelievable('the node does not show its newest block'));
  }

  /** Transactions of the address that the chain has, at its head or at a block: the nonce that is mined next. */
  count(address: string, at: number | 'latest'): Promise<number> {
    if (at !== 'latest') assertWhole(at, 'the number of a block');
    const block = at === 'latest' ? at : hexOf(at);
    return this.ask('eth_getTransactionCount', [address, block], (answer) =>
      answers.numberOf(answer, 'a count of transactions'),
    );
  }

  /**
   * Whether the wallet has signed the message: by its key, which needs no node, or as a contract says (EIP-1271). A
   * node that says yes must say so twice, and no to another message.
   */
  async hasSigned(wallet: string, message: string, signature: string): Promise<boolean> {
    const [address, signed] = [wallet as Address, signature as Hex];
    const byKey = await verifyMessage({ address, message, signature: signed }).catch(() => false);
    if (byKey) return true;
    const says = (text: string) => this.client.verifyMessage({ address, message: text, signature: signed });
    if (!(await says(message))) return false;
    if ((await says(`${message} `)) || !(await says(message))) {
      throw this.#doubt(new Unbelievable(`the node contradicts itself about a signature of ${wallet}`));
    }
    return true;
  }

  /** The treasury's balance, in the token's smallest unit. */
  treasuryUnits(): Promise<bigint> {
    const { token: address, treasury } = this;
    return this.client.readContract({ address, abi: TOKEN_ABI, functionName: 'balanceOf', args: [treasury] });
  }

  /** Asks the node. `read` holds its answer against the question, and throws Unbelievable. */
  async ask<T>(method: string, params: readonly unknown[], read: (answer: unknown) => T): Promise<T> {
    const request = this.client.request as (asked: object) => Promise<unknown>;
    const answer = await request({ method, params });
    try {
      return read(answer);
    } catch (error) {
      throw this.#doubt(error);
    }
  }

  #doubt(error: unknown): unknown {
    this.#checkedAt = null;
    return error;
  }

  /** After a failure another node may answer: it is asked for its chain again. */
  #doubting(wire: Transport): Transport {
    return (options) => {
      const made = wire(options);
      const request = (async (asked, more) => {
        try {
          return await made.request(asked, more);
        } catch (error) {
          throw this.#doubt(error);
        }
      }) as typeof made.request;
      return { ...made, request };
    };
  }
}

const hexOf = (number: number) => `0x${number.toString(16)}`;
