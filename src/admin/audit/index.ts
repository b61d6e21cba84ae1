import { transaction, type Database } from '../../store/database.js';
import { checks, poolSums, type PoolSums } from './checks.js';
import { recordCheck } from './records.js';

export interface Audit {
  /** True when every chip is accounted for and all that is stored agrees with itself. */
  ok: boolean;
  /** The report, line by line. */
  lines: string[];
  /** The problems, a line each: the first few of each kind. */
  problems: string[];
}

/**
 * Checks that no chip was made or lost, and that balances, ledger, seats and hands tell one story. All is read in one
 * snapshot, so it is right beside a running server, too. `records: false` leaves out decoding and replaying every hand.
 * `onProgress` hears how many of how many checks are done, and of the last and longest how many of the hands.
 */
export function audit(
  sql: Database,
  {
    records = true,
    onProgress = () => undefined,
  }: { records?: boolean; onProgress?: (done: number, all: number, unit: 'checks' | 'hands') => void } = {},
): Promise<Audit> {
  return transaction(
    sql,
    async (tx) => {
      const sums = await poolSums(tx);
      const drifts = sums.filter((sum) => driftOf(sum) !== 0);
      const problems = drifts.map((sum) => `pool ${sum.poolId}: ${driftOf(sum)} chips more than were brought in`);
      const lines = [...sumTable(sums), ''];
      const hands = sums.reduce((sum, pool) => sum + pool.hands, 0);
      const wanted = records ? [...checks, recordCheck((done) => onProgress(done, hands, 'hands'))] : checks;
      for (const [done, check] of wanted.entries()) {
        onProgress(done, wanted.length, 'checks');
        const found = await check.find(tx);
        lines.push(`${found.length === 0 ? 'ok   ' : 'WRONG'}  ${check.title}`);
        problems.push(...found);
      }
      const verdict = problems.length === 0 ? 'Every chip is accounted for.' : `${problems.length} problems:`;
      return { ok: problems.length === 0, lines: [...lines, '', verdict, ...problems], problems };
    },
    'isolation level repeatable read read only',
  );
}

function driftOf({ balances, atTables, brought }: PoolSums): number {
  return balances + atTables - brought;
}

function sumTable(sums: readonly PoolSums[]): string[] {
  const head = ['pool', 'kind', 'agents', 'hands', 'balances', 'at tables', 'together', 'brought in', 'drift'];
  const rows = sums.map((sum) => [
    sum.poolId,
    sum.kind,
    ...[sum.agents, sum.hands, sum.balances, sum.atTables, sum.balances + sum.atTables, sum.brought, driftOf(sum)].map(
      (value) => value.toLocaleString('en-US'),
    ),
  ]);
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  // Words to the left, numbers to the right.
  const line = (row: readonly string[]) =>
    row.map((cell, i) => (i < 2 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ');
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)];
}
