import { connect, isConnectionError, type DatabaseAddress } from '../store/database.js';
import { Keeper, type Round } from './keeper.js';
import { meetingsOf, type Met } from './meetings.js';

/** A job of the analytics thread. */
export type AnalyticsTask =
  | { kind: 'round'; budgetMs: number }
  | { kind: 'advance'; poolId: string; agentId: string; most: number }
  | { kind: 'meetings'; poolId: string; agentId: string; most: number };

/** In place of a result: the database is away. What an error says of itself does not come over from another thread. */
export const AWAY = 'away';

/** Does the jobs, on connections of its own. */
export function analyticsWorker(
  address: DatabaseAddress,
): (task: AnalyticsTask) => Promise<Round | Met | typeof AWAY | null> {
  const sql = connect(address, { max: 2, name: 'analytics' });
  const keeper = new Keeper(sql);
  return async (task) => {
    if (task.kind === 'round') return keeper.round(task.budgetMs);
    if (task.kind === 'meetings') {
      return meetingsOf(sql, task.poolId, task.agentId, task.most).catch((error: unknown) => {
        if (isConnectionError(error)) return AWAY;
        throw error;
      });
    }
    await keeper.advance(task.poolId, task.agentId, task.most);
    return null;
  };
}
