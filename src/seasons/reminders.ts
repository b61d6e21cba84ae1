import { enqueueEmail } from '../email/index.js';
import type { Database, Queryable } from '../store/database.js';
import type { Leadership } from '../store/node/leadership.js';
import { endingSoon } from './emails.js';

/** Mails queued by one statement. */
const BATCH = 1000;

/**
 * Queues the mail that a season ends soon for everybody registered in it but house bots, once a season. Resolves to
 * their number, or null when it was done before or the season has ended. Only the leader's: throws Displaced.
 */
export async function queueReminders(sql: Database, leadership: Leadership, seasonId: string): Promise<number | null> {
  return leadership.transaction(sql, async (tx) => {
    const [season] = await tx<{ number: number; end: Date }[]>`
      update seasons set reminded_at = now() where season_id = ${seasonId} and status = 'active' and reminded_at is null
      returning season_number as number, end_date as "end"`;
    if (season === undefined) return null;
    let count = 0;
    for (let after: string | null = null; ;) {
      const guests = await selectGuests(tx, seasonId, after);
      const emails = guests.map(({ agentId, email: to, name }) => ({
        dedupeKey: `ending_soon:${seasonId}:${agentId}`,
        to,
        ...endingSoon(name, season),
      }));
      await enqueueEmail(tx, emails);
      count += emails.length;
      if (guests.length < BATCH) return count;
      after = guests.at(-1)!.agentId;
    }
  });
}

function selectGuests(tx: Queryable, seasonId: string, after: string | null) {
  return tx<{ agentId: string; email: string; name: string }[]>`
    select a.agent_id as "agentId", a.email, a.name
    from entries e join agents a using (agent_id)
    where e.pool_id = ${seasonId} and (${after}::uuid is null or e.agent_id > ${after}::uuid) and not a.is_house
    order by e.agent_id limit ${BATCH}`;
}
