import type { Database } from '../../store/database.js';

/** A participant's chips and preferences, as far as sitting down needs them. */
export interface PartRow {
  chip_balance: number;
  rebuys: number;
  auto_rebuy: boolean;
  display_name: string | null;
}

/** Undefined for who does not take part (any more). */
export async function selectPart(sql: Database, competitionId: string, agentId: string): Promise<PartRow | undefined> {
  const [row] = await sql<PartRow[]>`
    select e.chip_balance, e.rebuys, e.auto_rebuy, p.display_name
    from competition_participants p join entries e on e.pool_id = p.competition_id and e.agent_id = p.agent_id
    where p.competition_id = ${competitionId} and p.agent_id = ${agentId} and p.state = 'enrolled'`;
  return row;
}

export async function takesPart(sql: Database, competitionId: string, agentId: string): Promise<boolean> {
  const [row] = await sql`
    select from competition_participants
    where competition_id = ${competitionId} and agent_id = ${agentId} and state = 'enrolled'`;
  return row !== undefined;
}
