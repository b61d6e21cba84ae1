import { connect, type DatabaseAddress } from '../store/database.js';
import { Keeper, type Round } from './keeper.js';

/** A job of the analytics thread. */
export type AnalyticsTask =
  { kind: 'round'; budgetMs: number } | { kind: 'advance'; poolId: string; agentId: string; most: number };

/** Does the jobs, on connections of its own. */
export function analyticsWorker(address: DatabaseAddress): (task: AnalyticsTask) => Promise<Round | null> {
  const keeper = new Keeper(connect(address, { max: 2, name: 'analytics' }));
  return async (task) => {
    if (task.kind === 'round') return keeper.round(task.budgetMs);
    await keeper.advance(task.poolId, task.agentId, task.most);
    return null;
  };
}
