import type { Database, Queryable } from '../store/database.js';
import type { Leadership } from '../store/node/leadership.js';
import type { PoolPhase } from '../store/pool-phase.js';
import { recordValueFunction } from '../value/pool.js';

export interface SeasonRow {
  season_id: string;
  season_number: number;
  status: 'active' | 'ended';
  start_date: Date;
  end_date: Date;
}

/** The phases of a season, in their order. */
const ORDER: PoolPhase[] = ['open', 'winding_down', 'closing', 'closing_now', 'ended'];

export const isLater = (phase: PoolPhase, other: PoolPhase) => ORDER.indexOf(phase) > ORDER.indexOf(other);

export interface ActiveSeasonRow extends SeasonRow {
  phase: PoolPhase;
}

export async function selectActiveSeason(sql: Queryable): Promise<ActiveSeasonRow | undefined> {
  const [row] = await sql<ActiveSeasonRow[]>`
    select season_id, season_number, status, start_date, end_date, phase
    from seasons join pools on pool_id = season_id where status = 'active'`;
  return row;
}

/** Stores the phase of a season's pool, which only goes forward. Only the leader's: throws Displaced. */
export async function setSeasonPhase(
  sql: Database,
  leadership: Leadership,
  seasonId: string,
  phase: PoolPhase,
): Promise<void> {
  await leadership.guarded(sql`
    update pools set phase = ${phase}
    where pool_id = ${seasonId} and array_position(${ORDER}::text[], phase) < array_position(${ORDER}::text[], ${phase})
      and ${leadership.required(sql)}`);
}

/** Opens a season in a pool of its own. Rejects with a unique violation while another one is active. */
export async function insertSeason(tx: Queryable, seasonId: string, start: Date, end: Date): Promise<ActiveSeasonRow> {
  await tx`select create_pool(${seasonId}, 'season')`;
  await recordValueFunction(tx, seasonId);
  const [row] = await tx<ActiveSeasonRow[]>`
    insert into seasons (season_id, start_date, end_date)
    values (${seasonId}, ${start}, ${end})
    returning season_id, season_number, status, start_date, end_date, 'open' as phase`;
  if (row === undefined) throw new Error('an insert returned no row');
  return row;
}

/**
 * The season for the `from` of a statement that changes what its standings are made of; no row once it has ended. It
 * waits for a change of seasons under way, which in turn waits for the statement.
 */
export const activeSeason = (sql: Queryable, seasonId: string) =>
  sql`(select season_id from seasons where season_id = ${seasonId} and status = 'active' for key share)`;

/** The order of standings by score, over columns of an entry and its `score`: no two are equal. */
export const orderByScore = (sql: Queryable) => sql`score desc, hands_played desc, rebuys, registered_at, agent_id`;

/** A season with what its record tells. */
export interface RecordedSeason extends SeasonRow {
  value_function_sha256: string | null;
}

const recorded = (sql: Queryable) => sql`
  select season_id, season_number, status, start_date, end_date, value_function_sha256
  from seasons join pools on pool_id = season_id`;

/** The last 20 seasons, latest first. */
export async function selectSeasons(sql: Database): Promise<RecordedSeason[]> {
  return sql<RecordedSeason[]>`${recorded(sql)} order by season_number desc limit 20`;
}

export async function selectSeason(sql: Database, seasonId: string): Promise<RecordedSeason | undefined> {
  const [row] = await sql<RecordedSeason[]>`${recorded(sql)} where season_id = ${seasonId}`;
  return row;
}
