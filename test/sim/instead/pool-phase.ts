import type * as real from '../../../src/store/pool-phase.js';
import { machine } from '../machine/machine.js';

/** src/store/pool-phase.ts on the vault. */
export * from '../../../src/store/pool-phase.js';

export const selectLeft: typeof real.selectLeft = (sql, poolId) =>
  machine().storage.statement(sql, (vault) => ({
    tables: [...vault.tables.values()].filter((table) => table.poolId === poolId && table.status === 'open').length,
    seats: [...(vault.entries.get(poolId)?.values() ?? [])].filter(({ tableId }) => tableId !== null).length,
  }));
