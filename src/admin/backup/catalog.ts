import type { Queryable } from '../../store/database.js';

/** The parts of a database besides its rows, enough to make another one for the rows. */

export interface DumpedTable {
  name: string;
  columns: string[];
}

export interface Partition {
  name: string;
  parent: string;
  /** As SQL: `FOR VALUES IN (…)`. */
  bound: string;
}

/** Every table that holds rows, those first that others refer to. Partitioned tables hold none, their partitions do. */
export async function selectTables(sql: Queryable): Promise<DumpedTable[]> {
  const tables = await sql<(DumpedTable & { needs: string[] })[]>`
    select c.relname as name,
      array(select attname::text from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns,
      array(select distinct f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as needs
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`;
  return inOrder(tables).map(({ name, columns }) => ({ name, columns: [...columns] }));
}

/** Each after those it needs; throws where that is impossible. */
export function inOrder<T extends { name: string; needs: readonly string[] }>(tables: readonly T[]): T[] {
  const done = new Set<string>();
  const ordered: T[] = [];
  let rest = [...tables];
  while (rest.length > 0) {
    const next = rest.filter(({ needs }) => needs.every((need) => done.has(need)));
    if (next.length === 0)
      throw new Error(`these tables refer to each other: ${rest.map(({ name }) => name).join(', ')}`);
    ordered.push(...next);
    for (const { name } of next) done.add(name);
    rest = rest.filter(({ name }) => !done.has(name));
  }
  return ordered;
}

export function selectPartitions(sql: Queryable): PromiseLike<Partition[]> {
  return sql<Partition[]>`
    select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`;
}

/** Where each sequence stands; those that were never used are left out. */
export function selectSequences(sql: Queryable): PromiseLike<{ name: string; value: number }[]> {
  return sql<{ name: string; value: number }[]>`
    select sequencename as name, last_value as value from pg_sequences
    where schemaname = 'public' and last_value is not null order by 1`;
}

/** The schema's version: the files of sql/ that made it. */
export async function selectMigrations(sql: Queryable): Promise<string[]> {
  return (await sql<{ name: string }[]>`select name from migrations order by name`).map(({ name }) => name);
}
