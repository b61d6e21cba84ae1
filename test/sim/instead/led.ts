import type { Queryable } from '../../../src/store/database.js';
import type { Leadership } from '../../../src/store/node/leadership.js';
import { ensure } from '../broken.js';
import { machine } from '../machine/machine.js';
import type { Vault } from '../vault/vault.js';

/** A statement that only the leader may run, guarded as its SQL is; and a look whether it was the leader that ran it. */
export const led = <T>(sql: Queryable, leadership: Leadership, effect: (vault: Vault) => T): Promise<T> =>
  leadership.guarded(
    machine().storage.statement(sql, (vault, asker) => {
      vault.leases.requireLeader(epochOf(sql, leadership));
      ensure(asker === vault.leases.leads, () => `${asker.name} writes what only the leader may, and another leads`);
      return effect(vault);
    }),
  );

/** The epoch that its condition of a statement requires: see `leads` of node-queries.ts. */
const epochOf = (sql: Queryable, leadership: Leadership) => Number(leadership.required(sql));
