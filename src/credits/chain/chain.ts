import {
  createPublicClient,
  getAddress,
  http,
  parseAbi,
  parseEventLogs,
  TransactionReceiptNotFoundError,
  BlockNotFoundError,
  type Address,
  type Hex,
  type PublicClient,
} from 'viem';

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

/** A transfer of the token. Addresses are checksummed. */
export interface Transfer {
  from: string;
  to: string;
  logIndex: number;
  /** Of the token's smallest unit. */
  units: bigint;
}

export interface Mined {
  succeeded: boolean;
  blockNumber: number;
  blockHash: string;
  /** Every transfer of the token in it, none when it did not succeed. */
  transfers: Transfer[];
}

/** The node's answers make no sense: another chain, another token. */
export class WrongChain extends Error {
  override name = 'WrongChain';
}

/**
 * The chain as one node tells it. A node may be away, late, or wrong about its height: what is built on it believes no
 * more than what it has seen linked, block by block.
 */
export class Chain {
  readonly client: PublicClient;
  readonly token: Address;
  readonly treasury: Address;
  readonly chainId: number;
  #checked = false;

  constructor({ rpcUrl, chainId, token, treasury }: ChainSettings) {
    this.client = createPublicClient({ transport: http(rpcUrl, { timeout: TIMEOUT_MS, retryCount: 0 }), cacheTime: 0 });
    this.token = getAddress(token);
    this.treasury = getAddress(treasury);
    this.chainId = chainId;
  }

  /** Throws WrongChain unless the node serves the chain and the token that are meant. Asks until it was right once. */
  async check(): Promise<void> {
    if (this.#checked) return;
    const chainId = await this.client.getChainId();
    if (chainId !== this.chainId) throw new WrongChain(`the node serves chain ${chainId}, not ${this.chainId}`);
    const decimals = await this.client.readContract({ address: this.token, abi: TOKEN_ABI, functionName: 'decimals' });
    if (decimals !== DECIMALS) throw new WrongChain(`the token has ${decimals} decimals, not ${DECIMALS}`);
    this.#checked = true;
  }

  /** The transaction as it is mined, or null where the node does not know it (yet, or any more) as such. */
  async mined(txHash: string): Promise<Mined | null> {
    const receipt = await this.client.getTransactionReceipt({ hash: txHash as Hex }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return null;
      throw error;
    });
    if (receipt === null) return null;
    const succeeded = receipt.status === 'success';
    const logs = succeeded ? parseEventLogs({ abi: TOKEN_ABI, eventName: 'Transfer', logs: receipt.logs }) : [];
    const transfers = logs
      .filter(({ address }) => getAddress(address) === this.token)
      .map(({ args: { from, to, value: units }, logIndex }) => {
        return { from: getAddress(from), to: getAddress(to), logIndex, units };
      });
    const { blockNumber, blockHash } = receipt;
    return { succeeded, blockNumber: Number(blockNumber), blockHash, transfers };
  }

  /**
   * Confirmations of a block: itself and those linked above it, up to `wanted`; 0 where it is not part of the chain.
   * Counted along the parent hashes, so that a node which only claims a height proves nothing.
   */
  async confirmations(blockNumber: number, blockHash: string, wanted: number): Promise<number> {
    let parent = await this.#block(blockNumber);
    if (parent === null || parent.hash !== blockHash) return 0;
    for (let seen = 1; seen < wanted; seen++) {
      const next = await this.#block(blockNumber + seen);
      if (next === null || next.parentHash !== parent.hash) return seen;
      parent = next;
    }
    return wanted;
  }

  /** Whether the chain has another block where this one was. */
  async replaced(blockNumber: number, blockHash: string): Promise<boolean> {
    const block = await this.#block(blockNumber);
    return block !== null && block.hash !== blockHash;
  }

  /** The number of the newest block. */
  async height(): Promise<number> {
    return Number(await this.client.getBlockNumber());
  }

  /** Whether the wallet has signed the message: by its key, or as a contract says (EIP-1271). */
  hasSigned(address: string, message: string, signature: string): Promise<boolean> {
    return this.client.verifyMessage({ address: address as Address, message, signature: signature as Hex });
  }

  /** What the treasury holds, in the token's smallest unit. */
  treasuryUnits(): Promise<bigint> {
    const { token: address, treasury } = this;
    return this.client.readContract({ address, abi: TOKEN_ABI, functionName: 'balanceOf', args: [treasury] });
  }

  async #block(number: number): Promise<{ hash: string; parentHash: string } | null> {
    const block = await this.client.getBlock({ blockNumber: BigInt(number) }).catch((error: unknown) => {
      if (error instanceof BlockNotFoundError) return null;
      throw error;
    });
    if (block === null || block.number !== BigInt(number)) return null;
    return { hash: block.hash, parentHash: block.parentHash };
  }
}
