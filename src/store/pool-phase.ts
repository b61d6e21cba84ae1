import type { Queryable } from './database.js';

/** A pool's clock decides this for its tables. sql/185_pool_phase.sql says what each phase means. */
export type PoolPhase = 'open' | 'winding_down' | 'closing' | 'closing_now' | 'ended';

/** Waits for tables that open at this moment. Repeating it is harmless. */
export async function setPhase(sql: Queryable, poolId: string, phase: PoolPhase): Promise<void> {
  await sql`update pools set phase = ${phase} where pool_id = ${poolId} and phase <> ${phase}`;
}

/** The rest of a pool at the tables of all nodes: open tables, and entries with a seat. */
export interface PoolLeft {
  tables: number;
  seats: number;
}

export async function selectLeft(sql: Queryable, poolId: string): Promise<PoolLeft> {
  const [row] = await sql<PoolLeft[]>`
    select (select count(*) from tables where pool_id = ${poolId} and status = 'open') as tables,
      (select count(*) from entries where pool_id = ${poolId} and table_id is not null) as seats`;
  return row!;
}
