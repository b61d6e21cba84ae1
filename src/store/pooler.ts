import { ConfigError } from '../ops/config.js';
import type { Database } from './database.js';

const REFUSAL =
  'DATABASE_URL leads to a pooler that gives each transaction another session of PostgreSQL: ' +
  'use its session mode (PgBouncer: pool_mode = session), or PostgreSQL itself.';

/**
 * Throws ConfigError where a connection does not keep its session: locks, settings and prepared statements live there.
 * Needs two connections. Each transaction of the first is to have the same backend, and no transaction of the other.
 */
export async function refuseTransactionPooler(sql: Database): Promise<void> {
  const first = await sql.reserve();
  const second = await sql.reserve();
  // Simple queries: without a session's prepared statements.
  const backend = async (of: typeof first) => {
    const [row] = await of.unsafe<{ pid: number }[]>('select pg_backend_pid() as pid');
    return row!.pid;
  };
  try {
    const own = [await backend(first), await backend(first)];
    // A pooler of single statements closes the connection that begins a transaction.
    await second.unsafe('begin').catch((cause: unknown) => {
      throw new ConfigError(REFUSAL, { cause });
    });
    const other = await backend(second);
    own.push(await backend(first));
    await second.unsafe('commit');
    if (new Set(own).size > 1 || own.includes(other)) throw new ConfigError(REFUSAL);
  } finally {
    first.release();
    second.release();
  }
}
