import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';
import { insertAgent } from '../../src/accounts/queries.js';
import { Chain } from '../../src/credits/chain/chain.js';
import { Deposits } from '../../src/credits/chain/deposits.js';
import { Signer } from '../../src/credits/chain/signer.js';
import { Sources, type SourceRules } from '../../src/credits/chain/sources.js';
import type { FeeCaps } from '../../src/credits/chain/fees.js';
import { Treasury } from '../../src/credits/chain/treasury.js';
import { requestWithdrawal } from '../../src/credits/chain/withdrawals.js';
import { accounting, balanceOf, postCredits } from '../../src/credits/index.js';
import { WalletChanges } from '../../src/credits/wallets/change.js';
import { Wallets } from '../../src/credits/wallets/wallets.js';
import { transaction, type Database, type DatabaseAddress } from '../../src/store/database.js';
import type { Anvil } from './anvil.js';
import { account, anvilBinary, keyOf } from './anvil.js';
import { freshDatabase, leadership, openPool, type Scope } from './database.js';

/** Deposits and withdrawals on a real chain and a real database. The test starts each round. */

/** A test on the chain. Without anvil it is skipped by name, or fails where all tools must be installed. */
export function onChain(t: Test, name: string, test: (t: Test) => Promise<unknown>): Promise<unknown> {
  const missing = anvilBinary() === null;
  if (missing && process.env['CI'] !== undefined) return t.test(name, async (t) => t.fail('anvil is not installed'));
  return t.test(name, missing ? { skip: 'anvil is not installed' } : {}, test);
}

const GWEI = 1_000_000_000n;
/** The defaults of the settings. */
export const CAPS: FeeCaps = { maxFee: 200n * GWEI, payment: 20_000_000n * GWEI };
const LIMITS = { minimum: 100, maximum: 10_000, daily: 50_000 };

export class CreditHouse {
  readonly logged: string[] = [];
  readonly deposits: Deposits;
  readonly wallets: Wallets;
  readonly chain: Chain;

  private constructor(
    readonly sql: Database,
    readonly anvil: Anvil,
    private readonly url: string,
    readonly address: DatabaseAddress,
    rules: Partial<SourceRules>,
  ) {
    this.chain = this.#chain();
    const { chain, log } = this;
    const sources = new Sources(sql, chain, { proof: 'required', funding: [], ...rules });
    this.deposits = new Deposits({ sql, leadership, chain, confirmations: 12, watchHours: 24, sources, log });
    const publicUrl = () => 'https://poker.example';
    const walletChanges = new WalletChanges({ holdHours: 0, publicUrl });
    this.wallets = new Wallets({ sql, chain, log, publicUrl, walletChanges });
  }

  static async open(t: Scope, anvil: Anvil, url = anvil.url, rules: Partial<SourceRules> = {}): Promise<CreditHouse> {
    const address = await freshDatabase(t);
    return new CreditHouse(openPool(t, address, 8), anvil, url, address, rules);
  }

  readonly log = {
    info: (_: object, message: string) => void this.logged.push(message),
    warn: (_: object, message: string) => void this.logged.push(message),
    error: (_: object, message: string) => void this.logged.push(message),
  };

  #chain(treasury = 0): Chain {
    const { token } = this.anvil;
    return new Chain({ rpcUrl: this.url, chainId: 31_337, token, treasury: account(treasury).address });
  }

  /** A new signer, as a started process has it. `key` is the account of its treasury. */
  signer(raiseMs = 3_600_000, { key = 0, caps = CAPS }: { key?: number; caps?: FeeCaps } = {}): Signer {
    const chain = this.#chain(key);
    const treasury = new Treasury(chain, keyOf(key), caps);
    const { sql, log } = this;
    return new Signer({ sql, leadership, chain, treasury, confirmations: 12, watchHours: 24, raiseMs, log });
  }

  /** An agent with this account of the chain as its wallet. */
  async agent(wallet: string | null): Promise<string> {
    const agentId = randomUUID();
    const name = `bot_${agentId.slice(0, 8)}`;
    const nobody = { avatarUrl: null, ip: null, isHouse: false, emailVerified: true };
    const keyHash = Buffer.from(agentId.replace(/-/g, '').repeat(2), 'hex');
    await insertAgent(this.sql, { ...nobody, agentId, name, email: `${name}@example.com`, wallet, keyHash });
    return agentId;
  }

  /** The text that the agent's wallet must sign. */
  async challenge(agentId: string, address: string): Promise<string> {
    return (await this.wallets.challenge({ agentId, name: `bot_${agentId.slice(0, 8)}` }, address)).message;
  }

  /** Proves that the chain's account is the agent's wallet. */
  async prove(agentId: string, index: number) {
    const message = await this.challenge(agentId, account(index).address);
    return (await this.wallets.prove(agentId, message, await account(index).signMessage({ message }))).proof;
  }

  /** An agent with a proven wallet: the account, with `units` tokens. */
  async holder(index: number, units: bigint): Promise<string> {
    const { address } = account(index);
    await this.anvil.mint(address, units);
    const agentId = await this.agent(address);
    await this.prove(agentId, index);
    return agentId;
  }

  /** Credits without a chain. */
  async give(agentId: string, ucents: number): Promise<void> {
    const legs = [
      { account: 'deposits' as const, ucents: -ucents },
      { account: { agent: agentId }, ucents },
    ];
    await postCredits(this.sql, { type: 'dev_deposit', once: null, reference: null, legs });
  }

  withdraw(agentId: string, dollars: number): Promise<string> {
    const request = { agentId, amount: dollars, limits: LIMITS, own: this.chain };
    return transaction(this.sql, async (tx) => (await requestWithdrawal(tx, request)).withdrawalId);
  }

  async withdrawal(id: string) {
    const [row] = await this.sql<
      { status: string; nonce: number | null; tx_hash: string; error_message: string | null; confirmations: number }[]
    >`select status, nonce, tx_hash, error_message, confirmations from withdrawals where withdrawal_id = ${id}`;
    return row!;
  }

  balance(agentId: string): Promise<number> {
    return balanceOf(this.sql, agentId);
  }

  drift(): Promise<number> {
    return accounting(this.sql).then(({ drift }) => drift);
  }
}
