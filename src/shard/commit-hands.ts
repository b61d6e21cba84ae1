import { codeOf, type Queryable } from '../store/database.js';
import type { HandRecord } from '../table/api.js';
import { encodeRecord } from '../table/record-codec.js';
import { CommitRefused, fencedIn, guarded, Refused, type Fence } from './fence.js';

/** Every so many hands of an agent one is kept with its number, from which deep pages of its history are found. */
export const MARK_EVERY = 500;

/**
 * Stores finished hands, all or none: the hands and their players, the new stacks, the tables' last hand. At most one
 * hand a table in a call. Hands that are stored already are left alone, so an unclear commit is simply repeated.
 * Throws Fenced, and CommitRefused when a hand does not continue what is stored.
 */
export async function commitHands(sql: Queryable, fence: Fence, records: readonly HandRecord[]): Promise<void> {
  try {
    await guarded(commit(sql, fence, columnsOf(records)));
  } catch (error) {
    if (error instanceof Refused) throw new CommitRefused(error.message, error);
    // Data that no column takes (22…) or a constraint that is broken (23…), or a record that cannot be encoded.
    if (error instanceof RangeError || /^2[23]/.test(codeOf(error))) throw new CommitRefused(String(error), error);
    throw error;
  }
}

function commit(sql: Queryable, fence: Fence, columns: Columns) {
  const { hand, player } = columns;
  return sql`
    with locked as materialized (select epoch from shards where shard_no = ${fence.shard} for share),
    hand as (
      select * from unnest(${hand.poolId}::uuid[], ${hand.handId}::uuid[], ${hand.tableId}::uuid[],
        ${hand.number}::integer[], ${hand.startedAt}::float8[], ${hand.endedAt}::float8[], ${hand.pot}::bigint[],
        ${hand.record}::bytea[], ${hand.button}::smallint[], ${hand.bigBlind}::smallint[], ${hand.seq}::bigint[])
        as h (pool_id, hand_id, table_id, hand_number, started, ended, total_pot, record, button, big_blind, seq)),
    player as (
      select * from unnest(${player.handId}::uuid[], ${player.agentId}::uuid[], ${player.sitting}::uuid[],
        ${player.seat}::smallint[], ${player.start}::bigint[], ${player.end}::bigint[])
        as p (hand_id, agent_id, sitting, seat, stack_start, stack_end)),
    stored as (
      insert into hands (pool_id, hand_id, table_id, hand_number, started_at, ended_at, total_pot, record)
      select pool_id, hand_id, table_id, hand_number, to_timestamp(started / 1000), to_timestamp(ended / 1000),
        total_pot, record from hand
      on conflict (pool_id, hand_id) do nothing
      returning pool_id, hand_id, table_id, hand_number),
    played as (
      insert into hand_players (pool_id, agent_id, hand_id, seat, stack_start, stack_end)
      select s.pool_id, p.agent_id, s.hand_id, p.seat, p.stack_start, p.stack_end
      from stored s join player p using (hand_id)
      returning hand_id, stack_end - stack_start as profit),
    moved as (
      update entries e set chips_at_table = p.stack_end, hands_played = e.hands_played + 1,
        hands_won = e.hands_won + (p.stack_end > p.stack_start)::integer,
        chips_won = e.chips_won + greatest(p.stack_end - p.stack_start, 0),
        chips_lost = e.chips_lost + greatest(p.stack_start - p.stack_end, 0)
      from stored s join player p using (hand_id)
      where e.pool_id = s.pool_id and e.agent_id = p.agent_id and e.table_id = s.table_id and e.seat_no = p.seat
        and e.sitting = p.sitting and e.chips_at_table = p.stack_start
      returning e.pool_id, e.agent_id, e.hands_played, s.hand_id),
    marked as (
      insert into hand_marks (pool_id, agent_id, nth, hand_id)
      select pool_id, agent_id, hands_played, hand_id from moved where hands_played % ${MARK_EVERY} = 0),
    advanced as (
      update tables t set hand_number = h.hand_number, button_seat = h.button, big_blind_seat = h.big_blind,
        seq_reserved = greatest(t.seq_reserved, h.seq)
      from stored s join hand h using (hand_id)
      where t.table_id = s.table_id and t.pool_id = s.pool_id and t.shard_no = ${fence.shard} and t.status = 'open'
        and t.hand_number = s.hand_number - 1
      returning 1)
    select ${fencedIn(sql, fence)},
      require((select count(*) from advanced) = (select count(*) from stored), 'a table is not at the hand before'),
      require((select count(*) from moved) = (select count(*) from played), 'a stack is not the one at its start'),
      require(not exists (select from played group by hand_id having sum(profit) <> 0), 'chips are not conserved')`;
}

/** The batch by columns, each a PostgreSQL array literal: half the work of an array that the driver encodes. */
type Columns = ReturnType<typeof columnsOf>;

function columnsOf(hands: readonly HandRecord[]) {
  const players = hands.flatMap((hand) => hand.players.map((player) => ({ handId: hand.handId, ...player })));
  return {
    hand: {
      poolId: literal(hands, (hand) => hand.poolId),
      handId: literal(hands, (hand) => hand.handId),
      tableId: literal(hands, (hand) => hand.tableId),
      number: literal(hands, (hand) => hand.handNumber),
      startedAt: literal(hands, (hand) => Math.round(hand.startedAt)),
      endedAt: literal(hands, (hand) => Math.round(hand.endedAt)),
      pot: literal(hands, (hand) => hand.totalPot),
      record: literal(hands, (hand) => `"\\\\x${encodeRecord(hand).toString('hex')}"`),
      button: literal(hands, (hand) => hand.button),
      bigBlind: literal(hands, (hand) => hand.bigBlindSeat),
      seq: literal(hands, (hand) => hand.seqReserved),
    },
    player: {
      handId: literal(players, (player) => player.handId),
      agentId: literal(players, (player) => player.agentId),
      sitting: literal(players, (player) => player.sitting),
      seat: literal(players, (player) => player.seat),
      start: literal(players, (player) => player.stackStart),
      end: literal(players, (player) => player.stackEnd),
    },
  };
}

/** Numbers and UUIDs need no quoting. */
function literal<T>(rows: readonly T[], value: (row: T) => string | number): string {
  let text = '{';
  for (const row of rows) text += (text.length > 1 ? ',' : '') + value(row);
  return `${text}}`;
}
