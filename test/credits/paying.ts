import { setTimeout as sleep } from 'node:timers/promises';
import { ban } from '../../src/admin/queries.js';
import { requestWithdrawal } from '../../src/credits/chain/withdrawals.js';
import { transaction, type Database } from '../../src/store/database.js';
import { Dice } from '../sim/dice.js';
import { account, Anvil } from '../support/anvil.js';
import type { Scope } from '../support/database.js';
import { ForkedPlatform } from '../support/forked-platform.js';
import { type Account } from '../support/platform.js';
import { eventually } from '../support/limits.js';
import { compare, released, settled } from './books.js';

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

const LIMITS = { WITHDRAW_DAILY_CENTS: 100_000_000, CONFIRMATIONS: 3, WITHDRAW_RAISE_MS: 2000 };
/** Wallets that are paid; each agent withdraws to its own. They are the chain's accounts behind the first treasury. */
const AGENTS = 8;
/** The accounts that are the treasury before and after the key is rotated. */
const [FIRST, SECOND] = [0, 10];

interface Owner {
  agent: Account;
  wallet: string;
  banned: boolean;
}

/**
 * Withdrawals without end, each to be paid on a chain that mines all the while, and kill -9 of the whole platform at
 * random moments. In the midst of it an agent is banned that has a withdrawal queued, which must wait, and the
 * treasury's key is rotated. In the end the treasuries must have paid to the unit what the ledger says, to each wallet
 * what it asked.
 */
export async function killWhilePaying(t: Scope, { kills, seed, onKill }: PayingOptions): Promise<PayingOutcome> {
  const dice = new Dice(seed);
  const anvil = await Anvil.start(t, ['--accounts', String(SECOND + 1)]);
  const treasuries = [FIRST, SECOND].map((index) => account(index).address);
  for (const treasury of treasuries) await anvil.mint(treasury, 100_000n * 1_000_000n);
  const platform = await ForkedPlatform.start(t, { ...anvil.settings(), ...LIMITS });
  const sql = platform.sql!;
  const owners = await Promise.all(Array.from({ length: AGENTS }, (_, n) => newOwner(platform, n + 1)));
  const mining = mineOn(anvil);
  const asked = new Map<string, bigint>();
  const rotated = (kill: number) => kill >= (kills - 1) >> 1;
  let [withdrawals, held] = [0, ''];
  for (let kill = 0; kill < kills; kill++) {
    const moment = await momentOf(sql, dice);
    const stop = new AbortController();
    const streaming = Promise.all(
      owners.map((owner) =>
        stream(platform, { owner, dice, stop: stop.signal }, (units) => {
          withdrawals++;
          asked.set(owner.wallet, (asked.get(owner.wallet) ?? 0n) + units);
          moment.told();
        }),
      ),
    );
    const middle = async () => {
      if (kill === Math.floor(kills / 3)) held = await banWithQueued(sql, owners.at(-1)!);
      await moment.comes;
    };
    await Promise.race([middle(), streaming.then(() => moment.comes)]);
    stop.abort();
    await platform.kill();
    await streaming;
    await platform.launch(rotated(kill) ? anvil.settings(SECOND) : {});
    onKill?.(kill + 1, withdrawals);
  }
  const findings = await settled(sql);
  findings.push(...(await released(sql, held)), ...(await settled(sql)));
  mining.stop();
  await mining.ended;
  findings.push(...(await compare(sql, { anvil, treasuries, asked })));
  const signed = await sql<{ treasury: string }[]>`select treasury from withdrawal_transactions`;
  if (!signed.some(({ treasury }) => treasury === treasuries[1])) findings.push('the new key has signed nothing');
  return { seed, withdrawals, signed: signed.length, findings: [...findings, ...platform.faults.map(String)] };
}

/** An owner's withdrawals, one after the other, until it is stopped, banned, or has had its share of the minute. */
async function stream(
  platform: ForkedPlatform,
  { owner, dice, stop }: { owner: Owner; dice: Dice; stop: AbortSignal },
  told: (units: bigint) => void,
): Promise<void> {
  while (!stop.aborted) {
    const amount = dice.int(100, 1000) / 100;
    const answer = await platform
      .api('POST', '/api/withdraw', { key: owner.agent.key, body: { amount } })
      .catch((error: unknown) => {
        // Killed before it answered, or an idle connection that the server was just closing: it may have happened or
        // not, as the ledger knows. A server that is gone is told by the next request.
        if (stop.aborted || wasClosed(error)) return null;
        throw error;
      });
    if (answer === null) continue;
    if (answer.status === 429 || (owner.banned && answer.status === 401)) return;
    if (answer.status !== 200) throw new Error(`withdraw answered ${answer.status} ${JSON.stringify(answer.body)}`);
    told(BigInt(Math.round(amount * 1_000_000)));
  }
}

const wasClosed = (error: unknown) => (error as { cause?: { code?: string } }).cause?.code === 'UND_ERR_SOCKET';

interface Moment {
  /** To be called of each answer. */
  told: () => void;
  /** Resolves when it is there. */
  comes: Promise<void>;
}

/**
 * The moment of a kill, counted in events and not in time: after some answers. In two of three cases another
 * transaction must also be signed first, or another withdrawal confirmed.
 */
async function momentOf(sql: Database, dice: Dice): Promise<Moment> {
  const count = dice.pick([
    null,
    async () => (await sql`select from withdrawal_transactions`).length,
    async () => (await sql`select from withdrawals where status = 'confirmed'`).length,
  ]);
  const before = await count?.();
  let answers = dice.int(3, 20);
  let enough = () => {};
  const answered = new Promise<void>((resolve) => (enough = resolve));
  const comes = answered.then(async () => {
    if (count !== null) await eventually('another is signed, or confirmed', async () => (await count()) > before!);
  });
  return { told: () => void (--answers === 0 && enough()), comes };
}

/**
 * Bans an agent with a withdrawal in the queue, and resolves to the withdrawal's id. Nothing signs the withdrawal
 * before the ban.
 */
function banWithQueued(sql: Database, owner: Owner): Promise<string> {
  const { agentId } = owner.agent;
  owner.banned = true;
  return transaction(sql, async (tx) => {
    const limits = { minimum: 100, maximum: 10_000, daily: LIMITS.WITHDRAW_DAILY_CENTS };
    const { withdrawalId } = await requestWithdrawal(tx, { agentId, amount: 5, limits, own: {} });
    await ban(tx, agentId, 'test');
    return withdrawalId;
  });
}

async function newOwner(platform: ForkedPlatform, index: number): Promise<Owner> {
  const agent = await platform.register('owner');
  const wallet = account(index).address;
  await platform.api('PATCH', '/api/me', { key: agent.key, body: { wallet_address: wallet } });
  await platform.api('POST', '/api/deposit/dev', { key: agent.key, body: { amount: 10_000 } });
  return { agent, wallet, banned: false };
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
