import { transaction, type Database, type Queryable } from '../store/database.js';
import type { Sitting, TableOpening } from '../table/api.js';
import { fencedIn, guarded, Refused, type Fence } from './fence.js';

export { Fenced, Refused, CommitRefused, type Fence, type Refusal } from './fence.js';
export { commitHands } from './commit-hands.js';

export interface BuyIn {
  poolId: string;
  agentId: string;
  tableId: string;
  seat: number;
  /** A fresh UUID that names the stay; repeating the call with it is harmless. */
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
}

/** A table as it is stored: an opening but for the rules. */
export type StoredTable = Omit<TableOpening, 'rules'>;

/** Raises the epoch of a shard, which waits for writes under way and fences off later ones; resolves to the new epoch. */
export async function claimShard(sql: Queryable, shard: number): Promise<number> {
  const [row] = await sql<{ epoch: number }[]>`
    insert into shards (shard_no, epoch) values (${shard}, 1)
    on conflict (shard_no) do update set epoch = shards.epoch + 1
    returning epoch`;
  return row!.epoch;
}

/**
 * Moves chips from the balance to a seat; resolves to the balance after. Done once a stay, however often it is called.
 * Throws Refused: balance, seated, no_entry, seat_taken, table.
 */
export function buyIn(sql: Queryable, fence: Fence, stay: BuyIn): Promise<number> {
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
      select table_id from tables
      where table_id = ${tableId} and pool_id = ${poolId} and shard_no = ${fence.shard} and status = 'open' for share),
    moved as (
      update entries e set chip_balance = e.chip_balance - ${amount}::bigint, chips_at_table = ${amount}::bigint,
        table_id = place.table_id, seat_no = ${seat}, sitting = ${sitting}
      from place
      where e.pool_id = ${poolId} and e.agent_id = ${agentId} and e.table_id is null
        and e.chip_balance >= ${amount}::bigint and ${amount}::bigint > 0
      returning e.chip_balance),
    entered as (
      insert into chip_ledger (pool_id, agent_id, type, amount, balance_after, table_id, sitting)
      select ${poolId}::uuid, ${agentId}::uuid, 'buy_in', -${amount}::bigint, chip_balance, ${tableId}::uuid, ${sitting}::uuid
      from moved
      returning balance_after)
    select ${fencedIn(sql, fence)}, coalesce((select balance_after from entered),
      (select balance_after from chip_ledger where sitting = ${sitting} and type = 'buy_in')) as balance`);
  return row!.balance;
}

async function whyNoBuyIn(sql: Queryable, { shard }: Fence, { poolId, agentId, tableId }: BuyIn): Promise<Refused> {
  const [entry] = await sql<{ seated: boolean; table: boolean }[]>`
    select table_id is not null as seated, exists (
        select from tables
        where table_id = ${tableId} and pool_id = ${poolId} and shard_no = ${shard} and status = 'open') as table
    from entries where pool_id = ${poolId} and agent_id = ${agentId}`;
  if (!entry) return new Refused('no_entry');
  return new Refused(entry.seated ? 'seated' : entry.table ? 'balance' : 'table');
}

/**
 * Ends a stay: its chips go back to the balance; resolves to the balance after. Done once a stay, however often it is
 * called. Throws Refused: sitting (there is no such stay), stack (it is stored with other chips), table.
 */
export function cashOut(sql: Queryable, fence: Fence, stay: CashOut): Promise<number> {
  return twice(
    () => tryCashOut(sql, fence, stay),
    () => whyNoCashOut(sql, fence, stay),
  );
}

async function tryCashOut(sql: Queryable, fence: Fence, stay: CashOut): Promise<number | null> {
  const { poolId, agentId, sitting, stack } = stay;
  const [row] = await guarded(sql<{ balance: number | null }[]>`
    with locked as materialized (select epoch from shards where shard_no = ${fence.shard} for share),
    moved as (
      update entries e set chip_balance = e.chip_balance + ${stack}::bigint, chips_at_table = 0,
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
      (select balance_after from chip_ledger where sitting = ${sitting} and type = 'cash_out')) as balance`);
  return row!.balance;
}

async function whyNoCashOut(
  sql: Queryable,
  { shard }: Fence,
  { poolId, agentId, sitting }: Omit<CashOut, 'stack'>,
): Promise<Refused> {
  const [stay] = await sql<{ ours: boolean }[]>`
    select t.shard_no = ${shard} as ours from entries e join tables t using (table_id)
    where e.pool_id = ${poolId} and e.agent_id = ${agentId} and e.sitting = ${sitting}`;
  if (!stay) return new Refused('sitting');
  return new Refused(stay.ours ? 'stack' : 'table');
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
 * often it is called: the balance of a seated player changes in no other way. Throws Refused: sitting, stack, table.
 */
export function skim(sql: Queryable, fence: Fence, what: Skim): Promise<number> {
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
 * A statement that waited for its own twin (the first answer was lost, the call repeated) has an older view than the
 * rows it found changed: it looks a second time before it takes the refusal for true.
 */
async function twice(attempt: () => Promise<number | null>, why: () => Promise<Refused>): Promise<number> {
  const balance = (await attempt()) ?? (await attempt());
  if (balance === null) throw await why();
  return balance;
}

/** Inserts a fresh table; repeating it is harmless. */
export async function openTable(
  sql: Queryable,
  fence: Fence,
  { tableId, poolId, seqReserved }: { tableId: string; poolId: string; seqReserved: number },
): Promise<void> {
  await guarded(sql`
    with locked as materialized (select epoch from shards where shard_no = ${fence.shard} for share),
    opened as (
      insert into tables (table_id, pool_id, shard_no, seq_reserved)
      values (${tableId}, ${poolId}, ${fence.shard}, ${seqReserved}::bigint) on conflict (table_id) do nothing)
    select ${fencedIn(sql, fence)}`);
}

/** A table, and the number up to which its table_seq may be used. */
export interface Reservation {
  tableId: string;
  seqReserved: number;
}

/**
 * Takes stored open tables over to this shard and reserves their table_seq; resolves to the ids of those that were
 * open. One statement however many they are, since after a crash their players wait.
 */
export async function adoptTables(sql: Queryable, fence: Fence, tables: readonly Reservation[]): Promise<Set<string>> {
  const ids = tables.map(({ tableId }) => tableId);
  const bounds = tables.map(({ seqReserved }) => String(seqReserved));
  const [row] = await guarded(sql<{ adopted: string[] }[]>`
    with locked as materialized (select epoch from shards where shard_no = ${fence.shard} for share),
    adopted as (
      update tables t set shard_no = ${fence.shard}, seq_reserved = greatest(t.seq_reserved, a.seq)
      from unnest(${ids}::uuid[], ${bounds}::bigint[]) as a (table_id, seq)
      where t.table_id = a.table_id and t.status = 'open' returning t.table_id)
    select ${fencedIn(sql, fence)}, array(select table_id::text from adopted) as adopted`);
  return new Set(row!.adopted);
}

/** adoptTables for one table. Throws Refused: table (it is not open). */
export async function adoptTable(sql: Queryable, fence: Fence, tableId: string, seqReserved: number): Promise<void> {
  const adopted = await adoptTables(sql, fence, [{ tableId, seqReserved }]);
  if (!adopted.has(tableId)) throw new Refused('table');
}

/** Stores that table_seq may be used up to the number. Throws Refused: table. */
export async function reserveSeq(sql: Queryable, fence: Fence, tableId: string, upTo: number): Promise<void> {
  await guarded(sql`
    with locked as materialized (select epoch from shards where shard_no = ${fence.shard} for share),
    raised as (
      update tables set seq_reserved = greatest(seq_reserved, ${upTo}::bigint)
      where table_id = ${tableId} and shard_no = ${fence.shard} returning table_id)
    select ${fencedIn(sql, fence)}, require((select count(*) from raised) = 1, 'table')`);
}

/**
 * Closes a table where nobody sits; repeating it is harmless. Throws Refused: occupied. A transaction rather than one
 * statement: once it has the table's row, its next look also sees a buy-in that held the row until then.
 */
export async function closeTable(sql: Database, { shard, epoch }: Fence, tableId: string): Promise<void> {
  await guarded(
    transaction(sql, async (tx) => {
      await tx`
        with locked as materialized (select epoch from shards where shard_no = ${shard} for share)
        select require((select epoch from locked) = ${epoch}::bigint, 'fenced')`;
      await tx`select from tables where table_id = ${tableId} and shard_no = ${shard} for update`;
      const [seated] = await tx`select from entries where table_id = ${tableId} limit 1`;
      if (seated) throw new Refused('occupied');
      await tx`
        update tables set status = 'closed', closed_at = now()
        where table_id = ${tableId} and shard_no = ${shard} and status = 'open'`;
    }),
  );
}

/** Closes the open tables where nobody sits; resolves to their number. For the start, before any shard runs. */
export async function closeAbandonedTables(sql: Queryable): Promise<number> {
  const { count } = await sql`
    update tables t set status = 'closed', closed_at = now()
    where t.status = 'open' and not exists (select from entries e where e.table_id = t.table_id)`;
  return count;
}

interface StoredRow extends Omit<StoredTable, 'sittings'>, Omit<Sitting['player'], 'agentId'> {
  agentId: string | null;
  sitting: string;
  seat: number;
  stack: number;
}

/**
 * The open tables (all, or those of one shard) with whom they seat, as they were at their last commit. Read it after the
 * shard's epoch was raised: then nothing of it can change any more.
 */
export async function storedTables(sql: Queryable, shard?: number): Promise<StoredTable[]> {
  const rows = await sql<StoredRow[]>`
    select t.table_id as "tableId", t.pool_id as "poolId", t.hand_number as "handNumber", t.button_seat as button,
      t.big_blind_seat as "bigBlindSeat", t.seq_reserved as "seqFloor", e.agent_id as "agentId", e.sitting,
      e.seat_no as seat, e.chips_at_table as stack, coalesce(p.display_name, a.name) as name, a.avatar_url as "avatarUrl",
      a.public_profile_slug as "publicProfileSlug", e.premium as "isPro", a.is_house as "isHouse",
      e.auto_rebuy and (c.competition_id is null or e.rebuys < c.max_rebuys) as "autoRebuy"
    from tables t left join entries e using (table_id) left join agents a using (agent_id)
      left join competitions c on c.competition_id = t.pool_id
      left join competition_participants p on p.competition_id = t.pool_id and p.agent_id = e.agent_id
    where t.status = 'open' and (${shard ?? null}::integer is null or t.shard_no = ${shard ?? null})
    order by t.opened_at, t.table_id, e.seat_no`;
  const tables = new Map<string, StoredTable>();
  for (const row of rows) {
    const { tableId, poolId, handNumber, button, bigBlindSeat, seqFloor } = row;
    let table = tables.get(tableId);
    if (!table) {
      table = { tableId, poolId, handNumber, button, bigBlindSeat, seqFloor, sittings: [] };
      tables.set(tableId, table);
    }
    if (row.agentId !== null) table.sittings.push(sittingOf(row, row.agentId));
  }
  return [...tables.values()];
}

function sittingOf(row: StoredRow, agentId: string): Sitting {
  const { sitting, seat, stack, name, avatarUrl, publicProfileSlug, isPro, isHouse, autoRebuy } = row;
  return { sitting, seat, stack, player: { agentId, name, avatarUrl, publicProfileSlug, isPro, isHouse, autoRebuy } };
}
