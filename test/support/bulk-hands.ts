import type { Database } from '../../src/store/database.js';
import { encodeRecord, type StoredHand } from '../../src/table/record/record-codec.js';

/**
 * Writes a hand over and over into its season, for the one player: `count` hands a second apart from `startAt`, as many
 * rows as years of play would leave. Only the history of that player is told by them.
 */
export async function stuffHands(
  sql: Database,
  { record, agentId, count, startAt }: { record: StoredHand; agentId: string; count: number; startAt: number },
): Promise<void> {
  const { poolId, tableId, totalPot } = record;
  const { seat, stackStart, stackEnd } = record.players.find((player) => player.agentId === agentId)!;
  const bytes = encodeRecord(record);
  await sql`
    with numbered as (
      select n, (lpad(to_hex(${startAt}::bigint + n * 1000), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid as id,
        to_timestamp(${startAt / 1000}::float8 + n) as at
      from generate_series(1, ${count}::bigint) n),
    stored as (
      insert into hands (pool_id, hand_id, table_id, hand_number, started_at, ended_at, total_pot, record)
      select ${poolId}, id, ${tableId}, n, at, at + interval '900 ms', ${totalPot}, ${bytes} from numbered)
    insert into hand_players (pool_id, agent_id, hand_id, seat, stack_start, stack_end)
    select ${poolId}, ${agentId}, id, ${seat}, ${stackStart}, ${stackEnd} from numbered`;
  await sql`
    insert into hand_marks (pool_id, agent_id, nth, hand_id)
    select pool_id, agent_id, nth, hand_id from (
      select pool_id, agent_id, hand_id, row_number() over (order by hand_id) as nth from hand_players
      where pool_id = ${poolId} and agent_id = ${agentId}) numbered
    where nth % 500 = 0 on conflict do nothing`;
  await sql`
    update entries set hands_played = hands_played + ${count} where pool_id = ${poolId} and agent_id = ${agentId}`;
}
