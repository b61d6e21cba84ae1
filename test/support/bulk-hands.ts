import type { Database } from '../../src/store/database.js';
import type { HandRecord } from '../../src/table/effects.js';
import { encodeRecord, type StoredHand } from '../../src/table/record/record-codec.js';

/**
 * Writes a hand over and over into its season, for the one player. The `count` hands begin at `startAt`, a second
 * apart, as many rows as years of play would leave. The rows are true only for the history of this player.
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

/**
 * Continues a table's first two hands; the second hand gives back what the first one took. Adds `count` more hands, in
 * turn, with sound records and books.
 */
export async function repeatHands(
  sql: Database,
  [first, second]: readonly [HandRecord, HandRecord],
  count: number,
): Promise<void> {
  const { poolId, tableId } = first;
  // The place of a record's hand number: behind a byte and three ids. The numbers 1 and 2 take one byte.
  const [id, number] = [1, 49];
  const kinds = [first, second].map((hand) => ({ hand, bytes: encodeRecord(hand) }));
  for (const [n, { hand, bytes }] of kinds.entries()) {
    const players = hand.players.map(({ seat, agentId, stackStart, stackEnd }) => ({
      seat,
      agent_id: agentId,
      stack_start: stackStart,
      stack_end: stackEnd,
    }));
    await sql`
      with numbered as (
        select n, (lpad(to_hex(n), 8, '0') || '00007000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid as id
        from generate_series(3 + ${n}::int, 2 + ${count}::int, 2) n),
      stored as (
        insert into hands (pool_id, hand_id, table_id, hand_number, started_at, ended_at, total_pot, record)
        select ${poolId}, id, ${tableId}, n, to_timestamp(${hand.startedAt / 1000}::float8),
          to_timestamp(${hand.endedAt / 1000}::float8), ${hand.totalPot},
          substr(${bytes}::bytea, 1, ${id}) || uuid_send(id) || substr(${bytes}::bytea, ${id + 17}, ${number - id - 16})
            || case when n >= 16384
                then set_byte(set_byte(set_byte('\\x000000', 0, n & 127 | 128), 1, n >> 7 & 127 | 128), 2, n >> 14)
              when n >= 128 then set_byte(set_byte('\\x0000', 0, n & 127 | 128), 1, n >> 7)
              else set_byte('\\x00', 0, n) end
            || substr(${bytes}::bytea, ${number + 2})
        from numbered)
      insert into hand_players (pool_id, agent_id, hand_id, seat, stack_start, stack_end)
      select ${poolId}, agent_id, id, seat, stack_start, stack_end
      from numbered, jsonb_to_recordset(${sql.json(players)}) p(seat int2, agent_id uuid, stack_start int8, stack_end int8)`;
  }
  await sql`
    insert into hand_marks (pool_id, agent_id, nth, hand_id)
    select pool_id, agent_id, nth, hand_id from (
      select pool_id, agent_id, hand_id, row_number() over (partition by agent_id order by hand_id) as nth
      from hand_players where pool_id = ${poolId}) numbered
    where nth % 500 = 0 on conflict do nothing`;
  await sql`
    update entries e set hands_played = played, hands_won = h.won, chips_won = h.gained, chips_lost = h.lost from (
      select agent_id, count(*) as played, count(*) filter (where stack_end > stack_start) as won,
        sum(greatest(stack_end - stack_start, 0)) as gained, sum(greatest(stack_start - stack_end, 0)) as lost
      from hand_players where pool_id = ${poolId} group by agent_id) h
    where e.pool_id = ${poolId} and e.agent_id = h.agent_id`;
  await sql`update tables set hand_number = ${count + 2} where table_id = ${tableId}`;
}
