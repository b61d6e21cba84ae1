import type { Database, Queryable } from '../store/database.js';

export interface SeasonRow {
  season_id: string;
  season_number: number;
  status: 'active' | 'ended';
  start_date: Date;
  end_date: Date;
}

export async function selectActiveSeason(sql: Queryable): Promise<SeasonRow | undefined> {
  const [row] = await sql<SeasonRow[]>`
    select season_id, season_number, status, start_date, end_date from seasons where status = 'active'`;
  return row;
}

/** Opens a season in a pool of its own. Rejects with a unique violation while another one is active. */
export async function insertSeason(tx: Queryable, seasonId: string, start: Date, end: Date): Promise<SeasonRow> {
  await tx`select create_pool(${seasonId}, 'season')`;
  const [row] = await tx<SeasonRow[]>`
    insert into seasons (season_id, start_date, end_date)
    values (${seasonId}, ${start}, ${end})
    returning season_id, season_number, status, start_date, end_date`;
  if (row === undefined) throw new Error('an insert returned no row');
  return row;
}

/** Ends a season, with its pending rebuys. Refused (AP001) while anybody still has chips at a table. */
export async function endSeason(sql: Queryable, seasonId: string): Promise<void> {
  await sql`
    with seated as (
      select require(not exists (select from entries where pool_id = ${seasonId} and table_id is not null),
        'somebody is still seated in this season') as none
    ), lapsed as (
      update entries set rebuy_due_at = null where pool_id = ${seasonId} and rebuy_due_at is not null
    )
    update seasons set status = 'ended' from seated where season_id = ${seasonId} and status = 'active' and seated.none`;
}

/** The last 20 seasons, latest first. */
export async function selectSeasons(sql: Database): Promise<SeasonRow[]> {
  return sql<SeasonRow[]>`
    select season_id, season_number, status, start_date, end_date from seasons order by season_number desc limit 20`;
}

export async function selectSeason(sql: Database, seasonId: string): Promise<SeasonRow | undefined> {
  const [row] = await sql<SeasonRow[]>`
    select season_id, season_number, status, start_date, end_date from seasons where season_id = ${seasonId}`;
  return row;
}

/** House bots do not count. */
export async function countRegistered(sql: Database, seasonId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from entries join agents using (agent_id) where pool_id = ${seasonId} and not is_house`;
  return row?.count ?? 0;
}
