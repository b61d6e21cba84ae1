import type { Database } from '../store/database.js';
import type { Sums } from '../bots/index.js';

export interface PlayerResult extends Sums {
  agentId: string;
  rebuys: number;
  /** Place of its last hand among all hands of the match, from 1, by their ends. */
  lastHand: number;
}

/** What the records of the finished hands say. */
export interface MatchResults {
  hands: number;
  /** From the first hand's start to the last one's end. */
  seconds: number;
  players: PlayerResult[];
}

/** Of the first `limit` hands that began at `since` (epoch ms) or later. */
export async function readResults(sql: Database, since: number, limit: number): Promise<MatchResults> {
  const played = sql`
    select *, row_number() over (order by ended_at, hand_id)::int as place from hands where started_at >= ${new Date(since)} order by ended_at, hand_id limit ${limit}`;
  const [total] = await sql<{ hands: number; seconds: number | null }[]>`
    select count(*) as hands, extract(epoch from max(ended_at) - min(started_at))::float8 as seconds
    from (${played}) as played`;
  const players = await sql<PlayerResult[]>`
    with played as (${played}), sums as (
      select agent_id, count(*) as hands, sum(stack_end - stack_start)::bigint as profit,
        sum((stack_end - stack_start) ^ 2)::float8 as squares, max(place) as "lastHand"
      from hand_players join played using (pool_id, hand_id) group by agent_id)
    select agent_id as "agentId", hands, profit, squares, rebuys, "lastHand"
    from sums join entries using (agent_id)`;
  return { hands: total?.hands ?? 0, seconds: total?.seconds ?? 0, players: [...players] };
}
