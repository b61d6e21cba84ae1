import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/store/database.js';

/** Many rows of the kinds that queries have to cope with, made by the database itself. */

export interface Season {
  seasonId: string;
  /** A guest among all others. */
  agentId: string;
}

/**
 * An ended season that disturbs nothing, with so many guests. Their figures are spread, and some are equal. Each has a
 * name and an entry.
 */
export async function fillSeason(sql: Database, entries: number): Promise<Season> {
  const seasonId = randomUUID();
  await sql`select create_pool(${seasonId}, 'season')`;
  await sql`
    insert into seasons (season_id, status, start_date, end_date)
    values (${seasonId}, 'ended', now() - interval '14 days', now())`;
  await sql`
    with agent as (
      insert into agents (agent_id, email, name, key_hash, email_verified_at, terms_accepted_at)
      select gen_random_uuid(), n || '@example.org', 'bot_' || n, sha256(n::text::bytea), now(), now()
      from generate_series(1, ${entries}::integer) n returning agent_id)
    insert into entries (pool_id, agent_id, chip_balance, rebuys, hands_played, hands_won, registered_at)
    select ${seasonId}::uuid, agent_id, played * 7, played % 4, played, played / 3, now() - played * interval '1 second'
    from (select agent_id, (random() * 5000)::integer as played from agent)`;
  const [row] = await sql<{ agent_id: string }[]>`select agent_id from entries where pool_id = ${seasonId} limit 1`;
  await sql`analyze`;
  return { seasonId, agentId: row!.agent_id };
}

/**
 * So many hands of six players, the agent always one of them, at a table after the other. Their records say nothing.
 */
export async function fillHands(sql: Database, { seasonId, agentId }: Season, hands: number): Promise<void> {
  await sql`
    with seated as (
      select agent_id, row_number() over (order by agent_id = ${agentId} desc) - 1 as seat
      from entries where pool_id = ${seasonId} order by agent_id = ${agentId} desc limit 6),
    hand as (
      select n, md5('table ' || n / 400)::uuid as table_id,
        (lpad(to_hex(1760000000000 + n * 12000::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8'
          || substr(md5(n::text), 5, 15))::uuid as hand_id
      from generate_series(1, ${hands}::integer) n),
    stored as (
      insert into hands (pool_id, hand_id, table_id, hand_number, started_at, ended_at, total_pot, record)
      select ${seasonId}::uuid, hand_id, table_id, n, now(), now(), 60, sha256(n::text::bytea) || sha256('x')
      from hand)
    insert into hand_players (pool_id, agent_id, hand_id, seat, stack_start, stack_end)
    select ${seasonId}::uuid, agent_id, hand_id, seat, 2000,
      2000 + case when (n + seat) % 6 = 0 then 50 else -10 end from hand, seated order by n`;
  for (const table of ['hand_players', 'hands']) await sql.unsafe(`vacuum analyze ${table}`);
}
