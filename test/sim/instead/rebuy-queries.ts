import type * as real from '../../../src/rebuys/queries.js';
import { machine } from '../machine/machine.js';
import * as seasons from '../vault/seasons.js';
import type { Storage } from '../vault/storage.js';

/** src/rebuys/queries.ts on the vault. */
const run: Storage['statement'] = (sql, effect) => machine().storage.statement(sql, effect);

export const grantRebuy: typeof real.grantRebuy = (sql, pool, agentId, { scheduled }) =>
  run(sql, (vault) => seasons.grantRebuy(vault, pool, agentId, scheduled));

/** Ids are for competitions, which do not exist here. */
export const wasGranted: typeof real.wasGranted = () => Promise.resolve(false);

export const selectRebuyState: typeof real.selectRebuyState = (sql, pool, agentId) =>
  run(sql, (vault) => seasons.rebuyState(vault, pool, agentId));

export const scheduleRebuys: typeof real.scheduleRebuys = (sql, pool, agentId = null) =>
  run(sql, (vault) => seasons.scheduleRebuys(vault, pool, agentId));

export const selectDue: typeof real.selectDue = (sql, poolIds) =>
  run(sql, (vault) => poolIds.flatMap((poolId) => seasons.selectDue(vault, poolId)));

export const selectNextDue: typeof real.selectNextDue = (sql, poolIds) =>
  run(sql, (vault) => {
    const waits = poolIds.map((poolId) => seasons.nextDue(vault, poolId)).filter((wait) => wait !== null);
    return waits.length === 0 ? null : Math.min(...waits);
  });

export const settleDue: typeof real.settleDue = (sql, pool, agentId) =>
  run(sql, (vault) => seasons.settleDue(vault, pool, agentId));

export const updateAutoRebuy: typeof real.updateAutoRebuy = (sql, poolId, agentId, enabled) =>
  run(sql, (vault) => {
    const updated = seasons.updateAutoRebuy(vault, poolId, agentId, enabled);
    return updated === undefined ? undefined : { cancelled: updated.cancelled, rebuys: updated.entry.rebuys };
  });
