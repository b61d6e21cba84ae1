import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';
import { audit } from '../../src/admin/audit/index.js';
import type { Database } from '../../src/store/database.js';
import type { HandRecord } from '../../src/table/effects.js';
import { freshPool } from './database.js';
import { addAgents, openRandomTables } from './random-table.js';

export const stacksOf = async (sql: Database, tableId: string) =>
  (
    await sql<{ stack: number }[]>`
    select chips_at_table as stack from entries where table_id = ${tableId} order by seat_no`
  ).map(({ stack }) => stack);

export const endStacks = (record: HandRecord) => record.players.map(({ stackEnd }) => stackEnd);

/** Checks that the books are in order. */
export async function booksAreRight(t: Test, sql: Database): Promise<void> {
  t.same((await audit(sql)).problems, [], 'the books are right');
}

/** Tables with a player each, and a stay of an agent without a seat at the first. */
export const tablesWithNewcomer = async (t: Test, tables = 1) => {
  const sql = await freshPool(t, 20);
  const { fence, poolId, randomTables } = await openRandomTables(sql, { tables, players: 1 });
  const [agentId] = (await addAgents(sql, poolId, 1)) as [string];
  const stay = () => ({
    poolId,
    agentId,
    tableId: randomTables[0]!.tableId,
    seat: 3,
    sitting: randomUUID(),
    amount: 2000,
  });
  return { sql, fence, poolId, randomTables, agentId, stay };
};
