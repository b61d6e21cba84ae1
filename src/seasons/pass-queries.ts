import type { Queryable } from '../store/database.js';
import { entryColumns, type EntryRow } from './entry-queries.js';

/** The active season, which stays active until the transaction ends. Undefined also while another one is about to begin. */
export async function holdActiveSeason(tx: Queryable): Promise<string | undefined> {
  const [row] = await tx<{ season_id: string }[]>`select season_id from seasons where status = 'active' for share`;
  return row?.season_id;
}

/** Gives an entry its pass; undefined without an entry. */
export async function updatePremium(tx: Queryable, poolId: string, agentId: string): Promise<EntryRow | undefined> {
  const [row] = await tx<EntryRow[]>`
    update entries e set premium = true where e.pool_id = ${poolId} and e.agent_id = ${agentId}
    returning ${entryColumns(tx)}`;
  return row;
}

/** Whether the agent holds the pass of the active season. */
export async function isPro(sql: Queryable, agentId: string): Promise<boolean> {
  const [row] = await sql<{ premium: boolean }[]>`
    select premium from entries e join seasons s on s.season_id = e.pool_id and s.status = 'active'
    where e.agent_id = ${agentId}`;
  return row?.premium ?? false;
}
