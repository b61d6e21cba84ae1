import { connect, type DatabaseAddress } from '../store/database.js';
import { Keeper, type Round } from './keeper.js';
import { meetingsOf, type Met } from './meetings.js';

/** A job of the analytics thread. */
export type AnalyticsTask =
  | { kind: 'round'; budgetMs: number }
  | { kind: 'advance'; poolId: string; agentId: string; most: number }
  | { kind: 'meetings'; poolId: string; agentId: string; most: number };

/** Does the jobs, on connections of its own. */
export function analyticsWorker(address: DatabaseAddress): (task: AnalyticsTask) => Promise<Round | Met | null> {
  const sql = connect(address, { max: 2, name: 'analytics' });
  const keeper = new Keeper(sql);
  return async (task) => {
    if (task.kind === 'round') return keeper.round(task.budgetMs);
    if (task.kind === 'meetings') return meetingsOf(sql, task.poolId, task.agentId, task.most);
    await keeper.advance(task.poolId, task.agentId, task.most);
    return null;
  };
}
