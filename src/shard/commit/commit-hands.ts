import { assert, AssertionFailed, assertWhole } from '../../ops/assert.js';
import { codeOf, type Queryable } from '../../store/database.js';
import { encodeRecord } from '../../table/record/record-codec.js';
import { CommitRefused, guarded, WriteRefused, type Fence } from './fence.js';
import { UNIQUE_VIOLATION } from '../../store/sqlstate.js';
import type { HandRecord } from '../../table/effects.js';

/** Every so many hands of an agent one is kept with its number, from which deep pages of its history are found. */
export const MARK_EVERY = 500;

/**
 * Stores finished hands, all or none: the hands and their players, the new stacks, the tables' last hand. At most one
 * hand a table in a call. Hands that are stored already are left alone, so an unclear commit is simply repeated.
 * Throws Fenced, and CommitRefused when a hand does not continue what is stored.
 */
export async function commitHands(sql: Queryable, fence: Fence, records: readonly HandRecord[]): Promise<void> {
  try {
    assert(new Set(records.map(({ tableId }) => tableId)).size === records.length, 'a commit has one hand a table');
    await guarded(commit(sql, fence, columnsOf(records)));
  } catch (error) {
    if (codeOf(error) === UNIQUE_VIOLATION) {
      const left = await notStored(sql, records);
      if (left.length < records.length) return left.length > 0 ? commitHands(sql, fence, left) : undefined;
    }
    if (error instanceof WriteRefused) throw new CommitRefused(error.message, error);
    // Data that no column takes (22…) or a constraint that is broken (23…), or a record that cannot be encoded.
    if (error instanceof RangeError || error instanceof AssertionFailed || /^2[23]/.test(codeOf(error)))
      throw new CommitRefused(String(error), error);
    throw error;
  }
}

async function notStored(sql: Queryable, records: readonly HandRecord[]): Promise<HandRecord[]> {
  const rows = await sql<{ handId: string }[]>`
    select hand_id as "handId" from hands
    where pool_id = any(${literal(records, ({ poolId }) => poolId)}::uuid[])
      and hand_id = any(${literal(records, ({ handId }) => handId)}::uuid[])`;
  const stored = new Set(rows.map(({ handId }) => handId));
  return records.filter(({ handId }) => !stored.has(handId));
}

function commit(sql: Queryable, { shard, epoch }: Fence, { hand, player }: Columns) {
  assertWhole(epoch, 'the epoch of a shard');
  return sql`
    select commit_hands(${shard}, ${epoch},
      ${hand.poolId}, ${hand.handId}, ${hand.tableId}, ${hand.number}, ${hand.startedAt}, ${hand.endedAt}, ${hand.pot},
      ${hand.record}, ${hand.button}, ${hand.bigBlind}, ${hand.seq},
      ${player.hand}, ${player.agentId}, ${player.sitting}, ${player.seat}, ${player.start}, ${player.end},
      ${MARK_EVERY}, ${hand.before})`;
}

/** The batch by columns, each a PostgreSQL array literal: half the work of an array that the driver encodes. */
type Columns = ReturnType<typeof columnsOf>;

function columnsOf(hands: readonly HandRecord[]) {
  hands.forEach(requireConserved);
  const players = hands.flatMap((hand, i) => hand.players.map((player) => ({ hand: i + 1, ...player })));
  return {
    hand: {
      poolId: literal(hands, (hand) => hand.poolId),
      handId: literal(hands, (hand) => hand.handId),
      tableId: literal(hands, (hand) => hand.tableId),
      number: literal(hands, (hand) => hand.handNumber),
      before: literal(hands, ({ handNumber, handBefore = handNumber - 1 }) => handBefore),
      startedAt: literal(hands, (hand) => Math.round(hand.startedAt)),
      endedAt: literal(hands, (hand) => Math.round(hand.endedAt)),
      pot: literal(hands, (hand) => hand.totalPot),
      record: literal(hands, (hand) => `"\\\\x${encodeRecord(hand).toString('hex')}"`),
      button: literal(hands, (hand) => hand.button),
      bigBlind: literal(hands, (hand) => hand.bigBlindSeat),
      seq: literal(hands, (hand) => hand.seqReserved),
    },
    player: {
      hand: literal(players, (player) => player.hand),
      agentId: literal(players, (player) => player.agentId),
      sitting: literal(players, (player) => player.sitting),
      seat: literal(players, (player) => player.seat),
      start: literal(players, (player) => player.stackStart),
      end: literal(players, (player) => player.stackEnd),
    },
  };
}

function requireConserved({ players, handNumber, handBefore = handNumber - 1 }: HandRecord): void {
  assert(players.length >= 2, 'a hand has two players', players.length);
  assert(handNumber > handBefore, 'the numbers of hands rise', handNumber);
  const profit = players.reduce((sum, { stackStart, stackEnd }) => sum + stackEnd - stackStart, 0);
  assert(profit === 0, 'a hand conserves the chips of its players', profit);
}

/** Numbers and UUIDs need no quoting. */
function literal<T>(rows: readonly T[], value: (row: T) => string | number): string {
  let text = '{';
  for (const row of rows) text += (text.length > 1 ? ',' : '') + value(row);
  return `${text}}`;
}
