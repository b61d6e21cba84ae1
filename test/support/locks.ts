import type { Database } from '../../src/store/database.js';
import { eventually } from './limits.js';

/** Resolves once `count` statements wait for another's lock. `like` selects them by their text. */
export async function untilWaiting(sql: Database, count = 1, like = '%'): Promise<void> {
  await eventually(`${count} that wait for a lock`, async () => {
    const waiting = await sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like ${like}`;
    return waiting.length >= count;
  });
}

/** Holds the row of an entry until `release` is called. */
export async function holdEntry(sql: Database, agentId: string): Promise<{ release(): Promise<void> }> {
  const holder = await sql.reserve();
  await holder`begin`;
  await holder`select from entries where agent_id = ${agentId} for update`;
  return {
    release: async () => {
      await holder`commit`;
      holder.release();
    },
  };
}
