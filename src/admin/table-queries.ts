import type { Queryable } from '../store/database.js';

/** The administrators' queries about tables and about a running server. */

export interface TableLine {
  table_id: string;
  pool_id: string;
  kind: 'season' | 'competition';
  season_number: number | null;
  competition_name: string | null;
  shard_no: number;
  players: number;
  hand_number: number;
  opened_at: Date;
  /** An administrator wants it closed. */
  closing: boolean;
  /** All that are open, on all pages. */
  matching: number;
}

/** The open tables, the oldest first; players are those with a stored seat. */
export function selectOpenTables(
  sql: Queryable,
  { limit, offset }: { limit: number; offset: number },
): PromiseLike<TableLine[]> {
  return sql<TableLine[]>`
    select t.table_id, t.pool_id, p.kind, s.season_number, c.name as competition_name, t.shard_no,
      (select count(*) from entries e where e.table_id = t.table_id) as players, t.hand_number, t.opened_at,
      exists (select from table_closings o where o.table_id = t.table_id) as closing, count(*) over () as matching
    from tables t join pools p using (pool_id)
      left join seasons s on s.season_id = t.pool_id
      left join competitions c on c.competition_id = t.pool_id
    where t.status = 'open' order by t.opened_at, t.table_id limit ${limit} offset ${offset}`;
}

/** Asks for the end of an open table, by its id; undefined where there is none, `asked` false where it was asked before. */
export async function closeTableByAdmin(
  sql: Queryable,
  tableId: string,
): Promise<{ table_id: string; pool_id: string; asked: boolean } | undefined> {
  const [row] = await sql<{ table_id: string; pool_id: string; asked: boolean }[]>`
    with t as (select table_id, pool_id from tables where table_id::text = lower(${tableId}) and status = 'open'),
      o as (insert into table_closings (table_id) select table_id from t on conflict do nothing returning table_id)
    select table_id, pool_id, exists (select from o) as asked from t`;
  return row;
}

/** Open tables that administrators want closed. */
export async function selectClosings(sql: Queryable): Promise<string[]> {
  const rows = await sql<{ table_id: string }[]>`
    select table_id from table_closings join tables using (table_id) where status = 'open'`;
  return rows.map(({ table_id }) => table_id);
}
