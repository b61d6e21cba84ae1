import type { LobbyLog } from '../../lobby/index.js';
import { codeOf, type Database } from '../../store/database.js';
import type { Leadership } from '../../store/node/leadership.js';
import { dropHands, holdUnplayed, selectUnplayed } from '../queries.js';
import { LOCK_NOT_AVAILABLE } from '../../store/sqlstate.js';

const WAIT_MS = 1000;

export interface UnplayedOptions {
  sql: Database;
  leadership: Leadership;
  log: LobbyLog;
}

/**
 * Drops the room for hands of competitions that are not played, which older releases made for every draft. Call it
 * before anything starts to play. A drop waits for whoever reads hands, such as a dump, and all others behind it: so
 * not for long, and the rest is dropped at the next start. One at a time, since each takes a dozen locks until it is
 * committed.
 */
export async function dropUnplayed({ sql, leadership, log }: UnplayedOptions): Promise<void> {
  const unplayed = await selectUnplayed(sql);
  for (const [done, id] of unplayed.entries()) {
    try {
      await leadership.transaction(sql, async (tx) => {
        if (await holdUnplayed(tx, id)) await dropHands(tx, id, WAIT_MS);
      });
    } catch (error) {
      if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error;
      const left = unplayed.length - done;
      return log.warn({ left }, 'hands are being read: empty partitions of competitions are dropped at the next start');
    }
  }
  if (unplayed.length > 0) log.info({ dropped: unplayed.length }, 'empty partitions of competitions were dropped');
}
