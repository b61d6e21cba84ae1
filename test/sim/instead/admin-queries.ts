import type * as real from '../../../src/admin/queries.js';
import { machine } from '../machine/machine.js';

/** src/admin/queries.ts, as far as the health probes ask. */
export const selectLogStorage: typeof real.selectLogStorage = (sql) =>
  machine().storage.statement(sql, (vault) => ({ hands: vault.hands.size, bytes: 0, newest: null }));
