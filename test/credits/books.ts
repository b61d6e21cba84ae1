import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from 'viem';
import { audit } from '../../src/admin/audit/index.js';
import { releaseStoredWithdrawal, selectWithdrawalLines } from '../../src/credits/operator.js';
import { transaction, type Database } from '../../src/store/database.js';
import type { Anvil } from '../support/anvil.js';
import { PATIENCE_MS } from '../support/limits.js';

/** Whether what the treasuries have paid, to the unit, is what the ledger says. */

const UNITS_PER_UCENT = 100n;

const openOnes = (sql: Database) =>
  selectWithdrawalLines(sql, { open: true, heldOnly: false, limit: 10_000, offset: 0 });

/**
 * Resolves when every withdrawal is decided but those that are held, or, when nothing is decided any more, with what is
 * not.
 */
export async function settled(sql: Database): Promise<string[]> {
  let [least, deadline] = [Infinity, 0];
  for (; ; await sleep(50)) {
    const open = (await openOnes(sql)).filter(({ held }) => !held);
    if (open.length === 0) return [];
    // However long the queue is: patience is for one of them.
    if (open.length < least) [least, deadline] = [open.length, Date.now() + PATIENCE_MS];
    else if (Date.now() > deadline) return open.map((row) => `never settled: ${JSON.stringify(row)}`);
  }
}

/**
 * The faults of this withdrawal, which was queued when its agent was banned. It must be held and unsigned, and released
 * now.
 */
export async function released(sql: Database, id: string): Promise<string[]> {
  const findings: string[] = [];
  const signed = await sql`select from withdrawal_transactions where withdrawal_id = ${id}`;
  if (signed.length > 0) findings.push(`${id} was signed, though its agent is banned`);
  const held = (await openOnes(sql)).filter((row) => row.held).map((row) => row.withdrawal_id);
  if (!held.includes(id)) findings.push(`${id} is not held, though its agent is banned`);
  for (const each of held) {
    if (!(await transaction(sql, (tx) => releaseStoredWithdrawal(tx, each))))
      findings.push(`${each} could not be released`);
  }
  return findings;
}

/** The chain against the ledger, and against what clients were told. */
export async function compare(
  sql: Database,
  { anvil, treasuries, asked }: { anvil: Anvil; treasuries: readonly Address[]; asked: ReadonlyMap<string, bigint> },
): Promise<string[]> {
  const findings: string[] = [];
  const paid = await anvil.paid(treasuries);
  const rows = await sql<{ wallet: string; ucents: number }[]>`
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
  const [books] = await sql<{ withdrawn: number; in_flight: number; drift: number; failed: number }[]>`
    select (select balance from credit_accounts where kind = 'withdrawn') as withdrawn,
      (select balance from credit_accounts where kind = 'in_flight') as in_flight,
      (select sum(balance)::bigint from credit_accounts) as drift,
      (select count(*) from withdrawals where status = 'failed') as failed`;
  const left = [...paid.values()].reduce((sum, units) => sum + units, 0n);
  if (BigInt(books!.withdrawn) * UNITS_PER_UCENT !== left)
    findings.push(`${left} units left the treasuries, not ${books!.withdrawn} ucents`);
  if (books!.in_flight !== 0 || books!.drift !== 0 || books!.failed !== 0) findings.push(JSON.stringify(books));
  findings.push(...(await audit(sql)).problems);
  return findings;
}
