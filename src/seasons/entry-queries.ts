import type { Queryable } from '../store/database.js';
import { activeSeason } from './queries.js';

/** An agent's part in a season. */
export interface EntryRow {
  pool_id: string;
  agent_id: string;
  chip_balance: number;
  chips_at_table: number;
  rebuys: number;
  hands_played: number;
  hands_won: number;
  premium: boolean;
  auto_rebuy: boolean;
}

/** The columns of entry `e`. */
export const entryColumns = (sql: Queryable) =>
  sql`e.pool_id, e.agent_id, e.chip_balance, e.chips_at_table, e.rebuys, e.hands_played, e.hands_won, e.premium, e.auto_rebuy`;

export async function selectEntry(sql: Queryable, poolId: string, agentId: string): Promise<EntryRow | undefined> {
  const [row] = await sql<EntryRow[]>`
    select ${entryColumns(sql)} from entries e where e.pool_id = ${poolId} and e.agent_id = ${agentId}`;
  return row;
}

/**
 * Registers an agent for an active season and grants the starting chips with their ledger row, in one statement.
 * Undefined when it was registered already (or is in this moment), or the season is over.
 */
export async function insertSeasonEntry(
  sql: Queryable,
  poolId: string,
  agentId: string,
  startingChips: number,
): Promise<EntryRow | undefined> {
  const [row] = await sql<EntryRow[]>`
    with e as (
      insert into entries (pool_id, agent_id, chip_balance)
      select season_id, ${agentId}, ${startingChips} from ${activeSeason(sql, poolId)} s
      on conflict do nothing
      returning *
    ), granted as (
      insert into chip_ledger (pool_id, agent_id, type, amount, balance_after)
      select pool_id, agent_id, 'grant', chip_balance, chip_balance from e
    )
    select ${entryColumns(sql)} from e`;
  return row;
}
