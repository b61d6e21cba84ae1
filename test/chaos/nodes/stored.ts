import { retrying, type Database } from '../../../src/store/database.js';
import { eventually } from '../../support/limits.js';

/** Invariants of all nodes' rows, beside the audit of chips. */

/** Tables and seats of pools that have ended. */
export async function inEndedPools(sql: Database): Promise<string[]> {
  const rows = await retrying(
    () => sql<{ what: string }[]>`
      select 'the table ' || table_id || ' is open in the ended pool ' || pool_id as what
      from tables join pools using (pool_id) where status = 'open' and phase = 'ended'
      union all
      select 'agent ' || agent_id || ' has a seat in the ended pool ' || pool_id
      from entries join pools using (pool_id) where table_id is not null and phase = 'ended'`,
  );
  return rows.map(({ what }) => what);
}

interface Elsewhere {
  agent: string;
  home: string | null;
  holder: string | null;
}

/** Seated agents with a home other than their table's node. With an agent, only that one. */
export function elsewhere(sql: Database, agentId: string | null = null): Promise<Elsewhere[]> {
  return retrying(
    () => sql<Elsewhere[]>`
      select e.agent_id as agent, h.node_id as home, s.holder
      from entries e join tables using (table_id) join shards s using (shard_no) left join homes h using (agent_id)
      where h.node_id is distinct from s.holder and (${agentId}::uuid is null or e.agent_id = ${agentId})`,
  );
}

/** Waits until each seated agent has its home at the node of its table. */
export async function strangeHomes(sql: Database): Promise<string[]> {
  let open = new Set((await elsewhere(sql)).map(({ agent }) => agent));
  let last: Elsewhere[] = [];
  const settled = async () => {
    last = (await elsewhere(sql)).filter(({ agent }) => open.has(agent));
    open = new Set(last.map(({ agent }) => agent));
    return open.size === 0;
  };
  await eventually('homes are where tables are', settled, 50).catch(() => undefined);
  return last.map(
    ({ agent, home, holder }) => `agent ${agent} has its home at ${home}, and its table is at node ${holder}`,
  );
}

/** The season that is active. */
export async function seasonNumber(sql: Database): Promise<number> {
  const [row] = await retrying(
    () => sql<{ number: number }[]>`select season_number as number from seasons where status = 'active'`,
  );
  return row!.number;
}
