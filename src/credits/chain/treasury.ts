import {
  encodeFunctionData,
  keccak256,
  TransactionNotFoundError,
  BaseError,
  ContractFunctionRevertedError,
  RpcRequestError,
  getAddress,
  type Address,
  type Hex,
  type PrivateKeyAccount,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { TOKEN_ABI, type Chain } from './chain.js';

/** A transaction that is signed and may be sent at any time, by anybody who has its bytes. */
export interface Signed {
  hash: string;
  raw: string;
  nonce: number;
  /** Wei. */
  maxFee: bigint;
  priorityFee: bigint;
}

/** The chain would refuse the transfer; nothing was signed. */
export class WouldRevert extends Error {
  override name = 'WouldRevert';
}

/** What a node says of a transaction that it has already, or whose nonce is used: no reason to worry. */
const KNOWN = /already known|already imported|already in pool|nonce too low|ALREADY_EXISTS/i;
const UNITS_PER_UCENT = 100n;
/** A replacement must pay a tenth more, or nodes refuse it; a quarter is safe. */
const RAISE_PERCENT = 125n;

/** The treasury's key: signs and sends transfers of the token. Keeps no state of its own. */
export class Treasury {
  readonly #account: PrivateKeyAccount;

  /** Throws where the key is none, or not that of the treasury's address. */
  constructor(
    private readonly chain: Chain,
    key: string,
  ) {
    this.#account = privateKeyToAccount(key as Hex);
    if (getAddress(this.#account.address) !== chain.treasury) throw new Error('the key is not that of the treasury');
  }

  /** Transactions of the treasury that the chain has, at its head. */
  nonce(): Promise<number> {
    return this.chain.client.getTransactionCount({ address: this.chain.treasury, blockTag: 'latest' });
  }

  /**
   * Signs a payment; `replaces` is an older one of the same nonce, which this one outbids. Throws WouldRevert where the
   * chain refuses the transfer as things stand, or what the node throws.
   */
  async sign(
    to: string,
    ucents: number,
    nonce: number,
    replaces?: { maxFee: bigint; priorityFee: bigint },
  ): Promise<Signed> {
    const { chain } = this;
    const args = [to as Address, BigInt(ucents) * UNITS_PER_UCENT] as const;
    const gas = await this.#gas(args);
    const fees = await chain.client.estimateFeesPerGas();
    const atLeast = (fee: bigint, older: bigint | undefined) => {
      const raised = older === undefined ? 0n : (older * RAISE_PERCENT) / 100n + 1n;
      return fee > raised ? fee : raised;
    };
    const maxFee = atLeast(fees.maxFeePerGas, replaces?.maxFee);
    const priorityFee = atLeast(fees.maxPriorityFeePerGas, replaces?.priorityFee);
    const raw = await this.#account.signTransaction({
      type: 'eip1559',
      chainId: chain.chainId,
      nonce,
      to: chain.token,
      data: encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transfer', args }),
      // Room for a recipient whose balance changes from zero meanwhile.
      gas: (gas * 13n) / 10n,
      maxFeePerGas: maxFee > priorityFee ? maxFee : priorityFee,
      maxPriorityFeePerGas: priorityFee,
    });
    return { hash: keccak256(raw), raw, nonce, maxFee, priorityFee };
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
   * where there is none. Looks it up in its block: a node that is only late with our receipt proves nothing.
   */
  async usedBy(nonce: number, confirmations: number): Promise<string | null> {
    const { client, treasury: address } = this.chain;
    const count = (block: number) => client.getTransactionCount({ address, blockNumber: BigInt(block) });
    let high = Number(await client.getBlockNumber());
    if ((await count(high)) <= nonce) return null;
    let low = Math.max(0, high - SEARCHED);
    if ((await count(low)) > nonce) return null;
    // The first block after which the nonce is used lies in (low, high].
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if ((await count(middle)) > nonce) high = middle;
      else low = middle;
    }
    const block = await client.getBlock({ blockNumber: BigInt(high), includeTransactions: true });
    const user = block.transactions.find((tx) => getAddress(tx.from) === address && tx.nonce === nonce);
    if (user === undefined) return null;
    const seen = await this.chain.confirmations(high, block.hash, confirmations);
    return seen < confirmations ? null : user.hash;
  }

  async #gas(args: readonly [Address, bigint]): Promise<bigint> {
    const { client, token, treasury } = this.chain;
    try {
      const call = { address: token, abi: TOKEN_ABI, functionName: 'transfer', args, account: treasury } as const;
      // A token that answers false instead of failing would cost the fee and pay nobody.
      const { result } = await client.simulateContract(call);
      if (result === false) throw new WouldRevert('the token refuses the transfer');
      return await client.estimateContractGas(call);
    } catch (error) {
      const reverted = error instanceof BaseError && error.walk((e) => e instanceof ContractFunctionRevertedError);
      if (reverted) throw new WouldRevert((reverted as ContractFunctionRevertedError).shortMessage);
      throw error;
    }
  }
}

/** Full nodes keep the state of the last 128 blocks. */
const SEARCHED = 120;

/** What the node itself said, without addresses of ours. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof BaseError)) return (error as Error).message;
  const told = error.walk((e) => e instanceof RpcRequestError);
  return told instanceof RpcRequestError ? told.details : error.shortMessage;
}
