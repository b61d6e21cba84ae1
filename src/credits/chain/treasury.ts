import { assert, assertWhole } from '../../ops/assert.js';
import {
  BaseError,
  ContractFunctionRevertedError,
  encodeFunctionData,
  getAddress,
  keccak256,
  type Address,
  type Hex,
  type PrivateKeyAccount,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { TOKEN_ABI, type Chain } from './chain.js';
import { capOf, firstFees, gasWithRoom, raisedFees, type FeeCaps, type Fees } from './fees.js';

/** A transaction that is signed and may be sent at any time, by anybody who has its bytes. */
export interface Signed extends Fees {
  hash: string;
  raw: string;
  nonce: number;
  /** Head of the chain when it was signed. */
  block: number;
}

/** The chain would refuse the transfer; nothing was signed. */
export class WouldRevert extends Error {
  override name = 'WouldRevert';
}

/** The fee is above what the settings allow, or above what the treasury has; nothing was signed. */
export class TooDear extends Error {
  override name = 'TooDear';
  constructor(readonly reason: 'fee_cap' | 'no_gas_coin') {
    super(
      reason === 'fee_cap'
        ? "the chain's fees are above the limit of a payment"
        : "the treasury lacks the chain's coin for the fee",
    );
  }
}

const UNITS_PER_UCENT = 100n;

/** The treasury's key: signs transfers of the token. Keeps no state of its own. */
export class Treasury {
  readonly #account: PrivateKeyAccount;

  /** Throws where the key is none, or not that of the treasury's address. */
  constructor(
    private readonly chain: Chain,
    key: string,
    private readonly caps: FeeCaps,
  ) {
    this.#account = privateKeyToAccount(key as Hex);
    if (getAddress(this.#account.address) !== chain.treasury)
      throw new Error('the key does not belong to the treasury');
  }

  /**
   * Signs a payment; `replaces` are the fees of an older one of the same nonce, which this one outbids. Throws
   * WouldRevert where the chain refuses the transfer as things stand, TooDear, or what the node throws.
   */
  async sign(to: string, ucents: number, nonce: number, replaces?: Fees): Promise<Signed> {
    assert(ucents > 0, 'a payment pays credits', ucents);
    assertWhole(nonce, 'the nonce of a payment');
    const args = [to as Address, BigInt(ucents) * UNITS_PER_UCENT] as const;
    const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transfer', args });
    const call = { to: this.chain.token, data, gas: async () => gasWithRoom(await this.#gas(args)) };
    return this.#sign(call, nonce, replaces);
  }

  /** Signs a transfer of 0 of the chain's coin to itself, which uses the nonce up. Throws TooDear, or what the node throws. */
  async fill(nonce: number, replaces?: Fees): Promise<Signed> {
    const { client, treasury } = this.chain;
    assertWhole(nonce, 'the nonce of a filler');
    const gas = () => client.estimateGas({ account: treasury, to: treasury, value: 0n });
    return this.#sign({ to: treasury, gas }, nonce, replaces);
  }

  async #sign(
    call: { to: Address; data?: Hex; gas: () => Promise<bigint> },
    nonce: number,
    replaces: Fees | undefined,
  ): Promise<Signed> {
    const { chain } = this;
    const block = await chain.height();
    const gas = await call.gas();
    const fees = await this.#fees(gas, replaces);
    assert(fees.maxFee >= fees.priorityFee, 'the highest fee covers the priority fee', fees.maxFee);
    assert(replaces === undefined || fees.maxFee > replaces.maxFee, 'a raise outbids', fees.maxFee);
    const raw = await this.#account.signTransaction({
      type: 'eip1559',
      chainId: chain.chainId,
      nonce,
      to: call.to,
      gas,
      ...(call.data === undefined ? {} : { data: call.data }),
      maxFeePerGas: fees.maxFee,
      maxPriorityFeePerGas: fees.priorityFee,
    });
    return { hash: keccak256(raw), raw, nonce, block, ...fees };
  }

  async #fees(gas: bigint, replaces: Fees | undefined): Promise<Fees> {
    const { client, treasury: address } = this.chain;
    const { maxFeePerGas: maxFee, maxPriorityFeePerGas: priorityFee } = await client.estimateFeesPerGas();
    const estimate = { maxFee, priorityFee };
    const cap = capOf(gas, this.caps);
    const fees = replaces === undefined ? firstFees(estimate, cap) : raisedFees(estimate, replaces, cap);
    if (fees === null) throw new TooDear('fee_cap');
    if ((await client.getBalance({ address })) < gas * fees.maxFee) throw new TooDear('no_gas_coin');
    return fees;
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
