import { connect, isConnectionError, type DatabaseAddress } from '../store/database.js';
import { Keeper, type KeeperRound } from './keeper.js';
import { meetingsOf, type Met } from './meetings.js';
import { judgePool, type Judgement } from './pairs/suspects.js';
import { versusOf, type HeadToHead, type VersusAsked } from './versus.js';
import { ratePool, type PoolRated } from '../ratings/index.js';

/** A job of the analytics thread. */
export type AnalyticsTask =
  | { kind: 'round'; budgetMs: number }
  | { kind: 'advance'; poolId: string; agentId: string; most: number }
  | { kind: 'meetings'; poolId: string; agentId: string; most: number }
  | ({ kind: 'versus' } & VersusAsked)
  | { kind: 'judge'; poolId: string }
  | { kind: 'rate'; poolId: string };

/** In place of a result: the database is away. An error's own text does not come over from another thread. */
export const AWAY = 'away';

/** The time for counting before a judgement, in ms. */
const CATCH_UP_MS = 1000;

/** Does the jobs, on connections of its own. */
export function analyticsWorker(
  address: DatabaseAddress,
): (task: AnalyticsTask) => Promise<KeeperRound | Met | HeadToHead | Judgement | PoolRated | typeof AWAY | null> {
  const sql = connect(address, { max: 2, name: 'analytics' });
  const keeper = new Keeper(sql);
  return async (task) => {
    switch (task.kind) {
      case 'round':
        return keeper.round(task.budgetMs);
      case 'meetings':
        return orAway(meetingsOf(sql, task.poolId, task.agentId, task.most));
      case 'versus':
        return orAway(versusOf(sql, task));
      case 'judge':
        return orAway(keeper.round(CATCH_UP_MS).then(() => judgePool(sql, task.poolId)));
      case 'rate':
        return orAway(ratePool(sql, task.poolId));
      case 'advance':
        await keeper.advance(task.poolId, task.agentId, task.most);
        return null;
    }
  };
}

const orAway = <T>(work: Promise<T>): Promise<T | typeof AWAY> =>
  work.catch((error: unknown) => {
    if (isConnectionError(error)) return AWAY;
    throw error;
  });
