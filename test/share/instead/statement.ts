import type { Queryable } from '../../../src/store/database.js';
import type { ShareDatabase } from '../database.js';

/** A statement on the rows in memory, which the nodes of this world have in place of a connection. */
export function statement<T>(sql: Queryable, effect: (rows: ShareDatabase) => T): Promise<T> {
  const rows = sql as unknown as ShareDatabase;
  return rows.statement(() => effect(rows));
}
