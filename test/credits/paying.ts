import { setTimeout as sleep } from 'node:timers/promises';
import { audit } from '../../src/admin/audit/index.js';
import { Dice } from '../sim/dice.js';
import { account, Anvil, treasuryAccount } from '../support/anvil.js';
import type { Scope } from '../support/database.js';
import { TestPlatform, type Account } from '../support/platform.js';

export interface PayingOptions {
  kills: number;
  seed: number;
  onKill?: (n: number, withdrawals: number) => void;
}

export interface PayingOutcome {
  seed: number;
  withdrawals: number;
  signed: number;
  findings: string[];
}

/** Wallets that are paid; each agent withdraws to its own. */
const AGENTS = 8;
const UNITS_PER_UCENT = 100n;
const SETTLED_MS = 60_000;

/**
 * Withdrawals without end, each to be paid on a chain that mines all the while, and kill -9 of the whole platform at
 * random moments. In the end the treasury must have paid to the unit what the ledger says, to each wallet what it asked.
 */
export async function killWhilePaying(t: Scope, { kills, seed, onKill }: PayingOptions): Promise<PayingOutcome> {
  const dice = new Dice(seed);
  const anvil = await Anvil.start(t);
  await anvil.mint(treasuryAccount.address, 100_000n * 1_000_000n);
  const limits = { WITHDRAW_DAILY_CENTS: 100_000_000, CONFIRMATIONS: 3, WITHDRAW_RAISE_MS: 2000 };
  const platform = await TestPlatform.start(t, { ...anvil.settings(), ...limits });
  const agents = await Promise.all(Array.from({ length: AGENTS }, (_, n) => newOwner(platform, n + 1)));
  const mining = mineOn(anvil);
  const asked = new Map<string, bigint>();
  let withdrawals = 0;
  for (let kill = 0; kill < kills; kill++) {
    const stop = new AbortController();
    const streams = agents.map(async ({ agent, wallet }) => {
      while (!stop.signal.aborted) {
        const amount = dice.int(100, 1000) / 100;
        const answer = await platform
          .api('POST', '/api/withdraw', { key: agent.key, body: { amount } })
          .catch(() => null);
        // Killed before it answered: it may have happened or not, as the ledger knows.
        if (answer === null || answer.status === 429) return;
        if (answer.status !== 200) throw new Error(`withdraw answered ${answer.status} ${JSON.stringify(answer.body)}`);
        withdrawals++;
        asked.set(wallet, (asked.get(wallet) ?? 0n) + BigInt(Math.round(amount * 1_000_000)));
      }
    });
    await sleep(dice.int(100, 500));
    await platform.kill();
    stop.abort();
    await Promise.all(streams);
    await platform.launch();
    onKill?.(kill + 1, withdrawals);
  }
  const findings = await settled(platform);
  mining.stop();
  await mining.ended;
  findings.push(...(await compare(platform, anvil, asked)));
  const [row] = await platform.sql!<{ signed: number }[]>`select count(*) as signed from withdrawal_transactions`;
  return { seed, withdrawals, signed: row!.signed, findings: [...findings, ...platform.faults.map(String)] };
}

async function newOwner(platform: TestPlatform, index: number): Promise<{ agent: Account; wallet: string }> {
  const agent = await platform.register('owner');
  const wallet = account(index).address;
  await platform.api('PATCH', '/api/me', { key: agent.key, body: { wallet_address: wallet } });
  await platform.api('POST', '/api/deposit/dev', { key: agent.key, body: { amount: 10_000 } });
  return { agent, wallet };
}

/** A block as soon as the one before is there, with a short pause, until it is stopped. */
function mineOn(anvil: Anvil): { stop: () => void; ended: Promise<void> } {
  let stopped = false;
  const mine = async () => {
    while (!stopped) {
      await anvil.mine();
      await sleep(30);
    }
  };
  return { stop: () => void (stopped = true), ended: mine() };
}

/** Resolves when every withdrawal is decided, or with what is not. */
async function settled({ sql }: TestPlatform): Promise<string[]> {
  for (const deadline = Date.now() + SETTLED_MS; ; await sleep(50)) {
    const open = await sql!<{ withdrawal_id: string; status: string; error_message: string | null }[]>`
      select withdrawal_id, status, error_message from withdrawals where status not in ('confirmed', 'failed')`;
    if (open.length === 0) return [];
    if (Date.now() > deadline) return open.map((row) => `never settled: ${JSON.stringify(row)}`);
  }
}

/** The chain against the ledger, and against what clients were told. */
async function compare({ sql }: TestPlatform, anvil: Anvil, asked: ReadonlyMap<string, bigint>): Promise<string[]> {
  const findings: string[] = [];
  const paid = await anvil.paid();
  const rows = await sql!<{ wallet: string; ucents: number }[]>`
    select to_address as wallet, sum(ucents)::bigint as ucents from withdrawals where status = 'confirmed'
    group by to_address`;
  for (const { wallet, ucents } of rows) {
    const owed = BigInt(ucents) * UNITS_PER_UCENT;
    if (paid.get(wallet) !== owed)
      findings.push(`${wallet} was paid ${paid.get(wallet)} units, the ledger says ${owed}`);
  }
  for (const [wallet, units] of asked) {
    const got = paid.get(wallet) ?? 0n;
    if (got < units) findings.push(`${wallet} was told of ${units} units, and was paid ${got}`);
  }
  for (const wallet of paid.keys()) {
    if (!rows.some((row) => row.wallet === wallet))
      findings.push(`${wallet} was paid, and the ledger knows nothing of it`);
  }
  const [books] = await sql!<{ withdrawn: number; in_flight: number; drift: number; failed: number }[]>`
    select (select balance from credit_accounts where kind = 'withdrawn') as withdrawn,
      (select balance from credit_accounts where kind = 'in_flight') as in_flight,
      (select sum(balance)::bigint from credit_accounts) as drift,
      (select count(*) from withdrawals where status = 'failed') as failed`;
  const left = [...paid.values()].reduce((sum, units) => sum + units, 0n);
  if (BigInt(books!.withdrawn) * UNITS_PER_UCENT !== left)
    findings.push(`${left} units left the treasury, not ${books!.withdrawn} ucents`);
  if (books!.in_flight !== 0 || books!.drift !== 0 || books!.failed !== 0) findings.push(JSON.stringify(books));
  findings.push(...(await audit(sql!)).problems);
  return findings;
}
