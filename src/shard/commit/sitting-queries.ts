import { assert, assertWhole } from '../../ops/assert.js';
import type { Queryable } from '../../store/database.js';
import type { Sitting } from '../../table/api.js';
import type { BlindDebt } from '../../table/seats/blinds.js';
import { fencedIn, guarded, WriteRefused, type Fence } from './fence.js';

/** The moves of chips between an agent's balance and its stack: buy-in, skim, cash-out. */

export interface BuyIn {
  poolId: string;
  agentId: string;
  tableId: string;
  seat: number;
  /** A fresh UUID that names the stay; repeating the call with it is harmless, also once the stay is over. */
  sitting: string;
  /** Chips from the balance to the table. */
  amount: number;
}

export interface CashOut {
  poolId: string;
  agentId: string;
  sitting: string;
  /** Chips of the stay as the table knows them; they must be what is stored. */
  stack: number;
  /** As in Sitting; kept with the entry for the next stay. */
  decksSeen?: number;
  /** The debt that is kept with the entry after a leave, and for how long. Absent or null: none. */
  owes?: (BlindDebt & { forMs: number }) | null;
}

/**
 * Moves chips from the balance to a seat; resolves to the balance after. Done once a stay, however often it is called.
 * Throws WriteRefused: balance, seated, no_entry, seat_taken, table, pool (not open), sitting (the stay is over).
 */
export async function buyIn(sql: Queryable, fence: Fence, stay: BuyIn): Promise<number> {
  assertWhole(stay.seat, 'the seat of a buy-in');
  assert(Number.isSafeInteger(stay.amount), 'a buy-in has whole chips', stay.amount);
  return twice(
    () => tryBuyIn(sql, fence, stay),
    () => whyNoBuyIn(sql, fence, stay),
  );
}

async function tryBuyIn(sql: Queryable, fence: Fence, stay: BuyIn): Promise<number | null> {
  const { poolId, agentId, tableId, seat, sitting, amount } = stay;
  const [row] = await guarded(sql<{ balance: number | null }[]>`
    with locked as materialized (select epoch from shards where shard_no = ${fence.shard} for share),
    place as materialized (
      select table_id from tables t join pools p using (pool_id)
      where t.table_id = ${tableId} and t.pool_id = ${poolId} and t.shard_no = ${fence.shard} and t.status = 'open'
        and p.phase = 'open' for share of t),
    moved as (
      update entries e set chip_balance = e.chip_balance - ${amount}::bigint, chips_at_table = ${amount}::bigint,
        table_id = place.table_id, seat_no = ${seat}, sitting = ${sitting}
      from place
      where e.pool_id = ${poolId} and e.agent_id = ${agentId} and e.table_id is null
        and e.chip_balance >= ${amount}::bigint and ${amount}::bigint > 0
        and not exists (select from chip_ledger where sitting = ${sitting} and type = 'buy_in')
      returning e.chip_balance),
    entered as (
      insert into chip_ledger (pool_id, agent_id, type, amount, balance_after, table_id, sitting)
      select ${poolId}::uuid, ${agentId}::uuid, 'buy_in', -${amount}::bigint, chip_balance, ${tableId}::uuid, ${sitting}::uuid
      from moved
      returning balance_after)
    select ${fencedIn(sql, fence)}, coalesce((select balance_after from entered),
      (select l.balance_after from chip_ledger l join entries e using (pool_id, agent_id)
        where l.sitting = ${sitting} and l.type = 'buy_in' and e.sitting = ${sitting}
          and e.pool_id = ${poolId} and e.agent_id = ${agentId})) as balance`);
  return row!.balance;
}

async function whyNoBuyIn(
  sql: Queryable,
  { shard }: Fence,
  { poolId, agentId, tableId, sitting }: BuyIn,
): Promise<WriteRefused> {
  const [entry] = await sql<{ seated: boolean; table: boolean; open: boolean; over: boolean }[]>`
    select table_id is not null as seated, exists (
        select from tables
        where table_id = ${tableId} and pool_id = ${poolId} and shard_no = ${shard} and status = 'open') as table,
      exists (select from pools where pool_id = ${poolId} and phase = 'open') as open,
      exists (select from chip_ledger where sitting = ${sitting}) as over
    from entries where pool_id = ${poolId} and agent_id = ${agentId}`;
  if (!entry) return new WriteRefused('no_entry');
  if (entry.over) return new WriteRefused('sitting');
  if (entry.seated) return new WriteRefused('seated');
  if (!entry.open) return new WriteRefused('pool');
  return new WriteRefused(entry.table ? 'balance' : 'table');
}

/**
 * Ends a stay: its chips go back to the balance; resolves to the balance after. Done once a stay, however often it is
 * called. Throws WriteRefused: sitting (there is no such stay), stack (it is stored with other chips), table.
 */
export async function cashOut(sql: Queryable, fence: Fence, stay: CashOut): Promise<number> {
  assertWhole(stay.stack, 'the stack of a cash-out');
  assertWhole(stay.decksSeen ?? 0, 'the number of the last deck seen');
  return twice(
    () => tryCashOut(sql, fence, stay),
    () => whyNoCashOut(sql, fence, stay),
  );
}

async function tryCashOut(sql: Queryable, fence: Fence, stay: CashOut): Promise<number | null> {
  const { poolId, agentId, sitting, stack, decksSeen = 0, owes = null } = stay;
  const [row] = await guarded(sql<{ balance: number | null }[]>`
    with locked as materialized (select epoch from shards where shard_no = ${fence.shard} for share),
    moved as (
      update entries e set chip_balance = e.chip_balance + ${stack}::bigint, chips_at_table = 0,
        decks_seen = greatest(e.decks_seen, ${decksSeen}::integer),
        returns_until = now() + ${owes?.forMs ?? null}::double precision * interval '1 ms',
        paid_hands = ${owes?.paidHands ?? null}::smallint, small_blind_excused = ${owes?.excused ?? null}::boolean,
        table_id = null, seat_no = null, sitting = null
      from tables t
      where e.pool_id = ${poolId} and e.agent_id = ${agentId} and e.sitting = ${sitting}
        and e.chips_at_table = ${stack}::bigint and t.table_id = e.table_id and t.shard_no = ${fence.shard}
      returning e.chip_balance, t.table_id),
    entered as (
      insert into chip_ledger (pool_id, agent_id, type, amount, balance_after, table_id, sitting)
      select ${poolId}::uuid, ${agentId}::uuid, 'cash_out', ${stack}::bigint, chip_balance, table_id, ${sitting}::uuid
      from moved
      returning balance_after)
    select ${fencedIn(sql, fence)}, coalesce((select balance_after from entered),
      (select balance_after from chip_ledger where sitting = ${sitting} and type = 'cash_out'
        and pool_id = ${poolId} and agent_id = ${agentId})) as balance`);
  return row!.balance;
}

async function whyNoCashOut(
  sql: Queryable,
  { shard }: Fence,
  { poolId, agentId, sitting }: Omit<CashOut, 'stack'>,
): Promise<WriteRefused> {
  const [stay] = await sql<{ ours: boolean }[]>`
    select t.shard_no = ${shard} as ours from entries e join tables t using (table_id)
    where e.pool_id = ${poolId} and e.agent_id = ${agentId} and e.sitting = ${sitting}`;
  if (!stay) return new WriteRefused('sitting');
  return new WriteRefused(stay.ours ? 'stack' : 'table');
}

/** The facts that an agent takes from its last table of a pool to the next: decks it has seen, and a blind it owes. */
export async function rememberedStay(
  sql: Queryable,
  poolId: string,
  agentId: string,
): Promise<Required<Pick<Sitting, 'decksSeen'>> & Pick<Sitting, 'left'>> {
  const [row] = await sql<{ decksSeen: number; owes: boolean; paidHands: number; excused: boolean }[]>`
    select decks_seen as "decksSeen", coalesce(returns_until > now(), false) as owes,
      paid_hands as "paidHands", small_blind_excused as excused
    from entries where pool_id = ${poolId} and agent_id = ${agentId}`;
  if (row === undefined) return { decksSeen: 0 };
  const { decksSeen, owes, paidHands, excused } = row;
  assertWhole(decksSeen, 'the number of the last deck seen');
  if (owes) assertWhole(paidHands, 'the hands that a big blind pays for');
  return { decksSeen, ...(owes && { left: { paidHands, excused } }) };
}

/** Chips of a stay that go back to the balance in the middle of it. */
export interface Skim {
  poolId: string;
  agentId: string;
  sitting: string;
  /** Chips of the stay as they are stored, and how many of them go. */
  stack: number;
  excess: number;
  /** The hand that made the stack too large, where it is known. */
  handId: string | null;
}

/**
 * Moves the excess of a stack to the balance, with its ledger row; resolves to the balance after. Done once, however
 * often it is called: the balance of a seated player changes in no other way. Throws WriteRefused: sitting, stack, table.
 */
export async function skim(sql: Queryable, fence: Fence, what: Skim): Promise<number> {
  assert(what.excess > 0, 'an excess is taken where there is one', what.excess);
  assertWhole(what.stack - what.excess, 'the stack that an excess leaves');
  return twice(
    () => trySkim(sql, fence, what),
    () => whyNoCashOut(sql, fence, what),
  );
}

async function trySkim(sql: Queryable, fence: Fence, what: Skim): Promise<number | null> {
  const { poolId, agentId, sitting, stack, excess, handId } = what;
  const [row] = await guarded(sql<{ balance: number | null }[]>`
    with locked as materialized (select epoch from shards where shard_no = ${fence.shard} for share),
    moved as (
      update entries e set chip_balance = e.chip_balance + ${excess}::bigint,
        chips_at_table = e.chips_at_table - ${excess}::bigint
      from tables t
      where e.pool_id = ${poolId} and e.agent_id = ${agentId} and e.sitting = ${sitting}
        and e.chips_at_table = ${stack}::bigint and t.table_id = e.table_id and t.shard_no = ${fence.shard}
      returning e.chip_balance, t.table_id),
    entered as (
      insert into chip_ledger (pool_id, agent_id, type, amount, balance_after, table_id, hand_id)
      select ${poolId}::uuid, ${agentId}::uuid, 'skim', ${excess}::bigint, chip_balance, table_id, ${handId}::uuid
      from moved
      returning balance_after)
    select ${fencedIn(sql, fence)}, coalesce((select balance_after from entered),
      (select e.chip_balance from entries e join tables t using (table_id)
        where e.pool_id = ${poolId} and e.agent_id = ${agentId} and e.sitting = ${sitting}
          and e.chips_at_table = ${stack}::bigint - ${excess}::bigint and t.shard_no = ${fence.shard})) as balance`);
  return row!.balance;
}

/**
 * A statement may wait for its own twin (the first answer was lost, the call repeated). Then its view is older than the
 * rows that changed. It looks a second time before it accepts the refusal.
 */
async function twice(attempt: () => Promise<number | null>, why: () => Promise<WriteRefused>): Promise<number> {
  const balance = (await attempt()) ?? (await attempt());
  if (balance === null) throw await why();
  assertWhole(balance, 'the balance after a move of chips');
  return balance;
}
