import type { Logger } from '../ops/log.js';
import type { Database, Queryable } from './database.js';

/** A request that is repeated later is done anew. */
const KEPT = '7 days';
const EVERY_MS = 3_600_000;
/** Rows that go in one statement, so that none holds many locks. */
const AT_ONCE = 5000;

/** Deletes the first answers that are kept no longer; returns how many. */
export async function sweepAnswers(sql: Queryable): Promise<number> {
  for (let swept = 0; ;) {
    const { count } = await sql`
      delete from idempotency_keys where (agent_id, operation, key) in (
        select agent_id, operation, key from idempotency_keys
        where created_at < now() - ${KEPT}::interval order by created_at limit ${AT_ONCE})`;
    swept += count;
    if (count < AT_ONCE) return swept;
  }
}

/** Sweeps now and every hour while the clock is certain, until what it returns is called. */
export function keepSweeping(sql: Database, clock: { certain: boolean }, log: Pick<Logger, 'warn'>): () => void {
  const sweep = () =>
    clock.certain &&
    void sweepAnswers(sql).catch((error: unknown) => log.warn({ err: error }, 'old idempotency keys were not swept'));
  sweep();
  const timer = setInterval(sweep, EVERY_MS).unref();
  return () => clearInterval(timer);
}
