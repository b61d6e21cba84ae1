import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';
import { insertAgent } from '../../src/accounts/queries.js';
import { Chain } from '../../src/credits/chain/chain.js';
import { Deposits } from '../../src/credits/chain/deposits.js';
import { Signer } from '../../src/credits/chain/signer.js';
import { Treasury } from '../../src/credits/chain/treasury.js';
import { requestWithdrawal } from '../../src/credits/chain/withdrawals.js';
import { accounting, balanceOf, postCredits } from '../../src/credits/index.js';
import { transaction, type Database } from '../../src/store/database.js';
import type { Anvil } from './anvil.js';
import { account, anvilBinary, keyOf, treasuryAccount } from './anvil.js';
import { freshPool, type Scope } from './database.js';

/** Deposits and withdrawals on a real chain and a real database, round by round as the test wants it. */

/** Tests on the chain: where anvil is missing they are skipped by name, but fail where everything must be there. */
export function onChain(t: Test, name: string, test: (t: Test) => Promise<unknown>): Promise<unknown> {
  const missing = anvilBinary() === null;
  if (missing && process.env['CI'] !== undefined) return t.test(name, async (t) => t.fail('anvil is not installed'));
  return t.test(name, missing ? { skip: 'anvil is not installed' } : {}, test);
}

const LIMITS = { minimum: 100, maximum: 10_000, daily: 50_000 };

export class CreditHouse {
  readonly logged: string[] = [];
  readonly deposits: Deposits;
  readonly chain: Chain;

  private constructor(
    readonly sql: Database,
    readonly anvil: Anvil,
    private readonly url: string,
  ) {
    this.chain = this.#chain();
    this.deposits = new Deposits({ sql, chain: this.chain, confirmations: 12, log: this.log });
  }

  static async open(t: Scope, anvil: Anvil, url = anvil.url): Promise<CreditHouse> {
    return new CreditHouse(await freshPool(t, 8), anvil, url);
  }

  readonly log = {
    info: (_: object, message: string) => void this.logged.push(message),
    warn: (_: object, message: string) => void this.logged.push(message),
    error: (_: object, message: string) => void this.logged.push(message),
  };

  #chain(): Chain {
    const { token } = this.anvil;
    return new Chain({ rpcUrl: this.url, chainId: 31_337, token, treasury: treasuryAccount.address });
  }

  /** A signer of its own, as a process that has just started has it. */
  signer(raiseMs = 3_600_000): Signer {
    const chain = this.#chain();
    const treasury = new Treasury(chain, keyOf(0));
    return new Signer({ sql: this.sql, chain, treasury, confirmations: 12, raiseMs, log: this.log });
  }

  /** An agent whose wallet is that account of the chain. */
  async agent(wallet: string | null): Promise<string> {
    const agentId = randomUUID();
    const name = `bot_${agentId.slice(0, 8)}`;
    const nobody = { avatarUrl: null, ip: null, isHouse: false, emailVerified: true };
    const keyHash = Buffer.from(agentId.replace(/-/g, '').repeat(2), 'hex');
    await insertAgent(this.sql, { ...nobody, agentId, name, email: `${name}@example.com`, wallet, keyHash });
    return agentId;
  }

  /** The account as an agent with tokens in its wallet, in units. */
  async holder(index: number, units: bigint): Promise<string> {
    const { address } = account(index);
    await this.anvil.mint(address, units);
    return this.agent(address);
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
    const request = { agentId, amount: dollars, limits: LIMITS };
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
