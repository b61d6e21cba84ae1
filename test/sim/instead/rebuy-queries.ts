import type * as real from '../../../src/seasons/rebuy-queries.js';
import { machine } from '../machine/machine.js';
import * as seasons from '../vault/seasons.js';
import type { Storage } from '../vault/storage.js';

/** src/seasons/rebuy-queries.ts on the vault. */
const run: Storage['statement'] = (sql, effect) => machine().storage.statement(sql, effect);

export const grantRebuy: typeof real.grantRebuy = (sql, poolId, agentId, rules, { scheduled }) =>
  run(sql, (vault) => seasons.grantRebuy(vault, poolId, agentId, rules, scheduled));

export const selectRebuyState: typeof real.selectRebuyState = (sql, poolId, agentId, rules) =>
  run(sql, (vault) => seasons.rebuyState(vault, poolId, agentId, rules));

export const scheduleRebuys: typeof real.scheduleRebuys = (sql, poolId, rules, agentId = null) =>
  run(sql, (vault) => seasons.scheduleRebuys(vault, poolId, rules, agentId));

export const selectDue: typeof real.selectDue = (sql, poolId) => run(sql, (vault) => seasons.selectDue(vault, poolId));

export const selectNextDue: typeof real.selectNextDue = (sql, poolId) =>
  run(sql, (vault) => seasons.nextDue(vault, poolId));

export const settleDue: typeof real.settleDue = (sql, poolId, agentId, rules) =>
  run(sql, (vault) => seasons.settleDue(vault, poolId, agentId, rules));
