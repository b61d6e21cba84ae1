import type { Queryable } from '../store/database.js';

/** Hands of the first agent that one statement looks at. */
const CHUNK = 2000;
/** Above every id. */
const HIGHEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export interface CommonHandsAsked {
  poolId: string;
  /** The newest hands of the first one are searched, so many at most. */
  agents: readonly [string, string];
  searched: number;
  most: number;
  /** A table that plays has played so many hands since a hand that counts. */
  delayHands: number;
}

/**
 * Ids of the newest hands that both agents were dealt into. It goes by chunks of ids: a join of the two is slow on a
 * partition that has no statistics yet.
 */
export async function selectCommonHands(sql: Queryable, asked: CommonHandsAsked): Promise<string[]> {
  const { poolId, agents, searched, most, delayHands } = asked;
  const [one, other] = agents;
  const found: string[] = [];
  let below = HIGHEST;
  for (let seen = 0; seen < searched && found.length < most; seen += CHUNK) {
    const own = await sql<{ handId: string }[]>`
      select hand_id as "handId" from hand_players
      where pool_id = ${poolId} and agent_id = ${one} and hand_id < ${below} order by hand_id desc limit ${CHUNK}`;
    const ids = own.map(({ handId }) => handId);
    const met = await sql<{ handId: string }[]>`
      select hand_id as "handId" from hand_players
      where pool_id = ${poolId} and agent_id = ${other} and hand_id = any(${ids}::uuid[]) order by hand_id desc`;
    const common = met.map(({ handId }) => handId);
    found.push(...(delayHands === 0 ? common : await selectOld(sql, poolId, common, delayHands)));
    if (ids.length < CHUNK) break;
    below = ids.at(-1)!;
  }
  return found.slice(0, most);
}

async function selectOld(
  sql: Queryable,
  poolId: string,
  handIds: readonly string[],
  delayHands: number,
): Promise<string[]> {
  const rows = await sql<{ handId: string }[]>`
    select h.hand_id as "handId" from hands h left join tables t on t.table_id = h.table_id
    where h.pool_id = ${poolId} and h.hand_id = any(${handIds as string[]}::uuid[])
      and (t.status is distinct from 'open' or t.hand_number - h.hand_number >= ${delayHands})
    order by h.hand_id desc`;
  return rows.map(({ handId }) => handId);
}
