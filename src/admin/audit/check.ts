import type { Queryable } from '../../store/database.js';

/** One thing that must hold of all rows: `find` returns a line for each place where it does not, at most a few. */
export interface Check {
  title: string;
  find(sql: Queryable): Promise<string[]>;
}

/** More of the same problem tells nothing new. */
export const SHOWN = 20;

/** A check by a query that returns a column `problem` for each row that is wrong. */
export function rows(title: string, query: (sql: Queryable) => PromiseLike<{ problem: string }[]>): Check {
  return { title, find: async (sql) => (await query(sql)).map(({ problem }) => problem) };
}
