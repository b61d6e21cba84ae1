import { assert, assertWhole } from '../../ops/assert.js';
import { transaction, type Database, type Queryable } from '../../store/database.js';
import type { Sitting, TableOpening } from '../../table/api.js';
import { fencedIn, guarded, WriteRefused, type Fence } from './fence.js';

/** The rows of tables, from opening to closing, and the tables as recovery finds them. */

/** A table as it is stored: an opening but for the rules. */
export type StoredTable = Omit<TableOpening, 'rules'>;

/** A table that is to be stored for the first time. */
interface FreshTable {
  tableId: string;
  poolId: string;
  seqReserved: number;
}

/**
 * Inserts a fresh table; repeating it is harmless. Throws WriteRefused: table (it has closed, belongs to another shard,
 * or has played a hand), pool (its phase forbids a new table).
 */
export async function openTable(sql: Queryable, fence: Fence, table: FreshTable): Promise<void> {
  assertWhole(table.seqReserved, 'the bound of table_seq');
  // A statement that waited for its own twin does not see the row it found: the second look does.
  const first = await tryOpen(sql, fence, table);
  if (first === 'opened') return;
  const second = await tryOpen(sql, fence, table);
  if (second !== 'opened') throw new WriteRefused(second);
}

/** The pool's row is held. A change of the phase waits for it, and then sees the table. */
async function tryOpen(
  sql: Queryable,
  fence: Fence,
  { tableId, poolId, seqReserved }: FreshTable,
): Promise<'opened' | 'pool' | 'table'> {
  const [row] = await guarded(sql<{ open: boolean; opened: boolean }[]>`
    with locked as materialized (select epoch from shards where shard_no = ${fence.shard} for share),
    pool as materialized (select phase from pools where pool_id = ${poolId} for share),
    opened as (
      insert into tables (table_id, pool_id, shard_no, seq_reserved)
      select ${tableId}, ${poolId}, ${fence.shard}, ${seqReserved}::bigint from pool where phase = 'open'
      on conflict (table_id) do nothing
      returning table_id)
    select ${fencedIn(sql, fence)}, exists (select from pool where phase = 'open') as open, exists (select from opened) or exists (
      select from tables t
      where t.table_id = ${tableId} and t.shard_no = ${fence.shard} and t.status = 'open' and t.hand_number = 0
        and not exists (select from entries e where e.table_id = t.table_id)) as opened`);
  return row!.opened ? 'opened' : row!.open ? 'table' : 'pool';
}

/** A table, and the number up to which its table_seq may be used. */
export interface Reservation {
  tableId: string;
  seqReserved: number;
}

/**
 * Takes stored open tables over to this shard and reserves their table_seq. Resolves to the ids of the open ones. One
 * statement however many they are, since after a crash their players wait.
 */
export async function adoptTables(sql: Queryable, fence: Fence, tables: readonly Reservation[]): Promise<Set<string>> {
  const ids = tables.map(({ tableId }) => tableId);
  assert(new Set(ids).size === ids.length, 'a table is adopted once', ids.length);
  const bounds = tables.map(({ seqReserved }) => String(seqReserved));
  const [row] = await guarded(sql<{ adopted: string[] }[]>`
    with locked as materialized (select epoch from shards where shard_no = ${fence.shard} for share),
    adopted as (
      update tables t set shard_no = ${fence.shard}, seq_reserved = greatest(t.seq_reserved, a.seq)
      from unnest(${ids}::uuid[], ${bounds}::bigint[]) as a (table_id, seq)
      where t.table_id = a.table_id and t.status = 'open' returning t.table_id)
    select ${fencedIn(sql, fence)}, array(select table_id::text from adopted) as adopted`);
  const adopted = new Set(row!.adopted);
  assert(adopted.size <= ids.length, 'a shard adopts what it asked for', adopted.size);
  return adopted;
}

/** adoptTables for one table. Throws WriteRefused: table (it is not open). */
export async function adoptTable(sql: Queryable, fence: Fence, tableId: string, seqReserved: number): Promise<void> {
  const adopted = await adoptTables(sql, fence, [{ tableId, seqReserved }]);
  if (!adopted.has(tableId)) throw new WriteRefused('table');
}

/** Stores that table_seq may be used up to the number. Throws WriteRefused: table. */
export async function reserveSeq(sql: Queryable, fence: Fence, tableId: string, upTo: number): Promise<void> {
  assertWhole(upTo, 'the bound of table_seq');
  await guarded(sql`
    with locked as materialized (select epoch from shards where shard_no = ${fence.shard} for share),
    raised as (
      update tables set seq_reserved = greatest(seq_reserved, ${upTo}::bigint)
      where table_id = ${tableId} and shard_no = ${fence.shard} returning table_id)
    select ${fencedIn(sql, fence)}, require((select count(*) from raised) = 1, 'table')`);
}

/**
 * Closes a table where nobody sits; repeating it is harmless. Throws WriteRefused: occupied. A transaction rather than one
 * statement: once it has the table's row, its next look also sees a buy-in that held the row until then.
 */
export async function closeTable(sql: Database, { shard, epoch }: Fence, tableId: string): Promise<void> {
  assertWhole(epoch, 'the epoch of a shard');
  await guarded(
    transaction(sql, async (tx) => {
      await tx`
        with locked as materialized (select epoch from shards where shard_no = ${shard} for share)
        select require((select epoch from locked) = ${epoch}::bigint, 'fenced')`;
      await tx`select from tables where table_id = ${tableId} and shard_no = ${shard} for update`;
      const [seated] = await tx`select from entries where table_id = ${tableId} limit 1`;
      if (seated) throw new WriteRefused('occupied');
      await tx`
        update tables set status = 'closed', closed_at = now()
        where table_id = ${tableId} and shard_no = ${shard} and status = 'open'`;
    }),
  );
}

/** Tables of a shard without a node: `t` in a statement. */
const orphaned = (sql: Queryable) => sql`
  t.status = 'open' and not exists (select from shards s where s.shard_no = t.shard_no and s.holder is not null)`;

/** Closes orphaned tables where nobody sits. Call it once the epochs of ended holders are raised. */
export async function closeOrphanedTables(sql: Queryable): Promise<void> {
  await sql`
    update tables t set status = 'closed', closed_at = now()
    where ${orphaned(sql)} and not exists (select from entries e where e.table_id = t.table_id)`;
}

/** Locks orphaned tables, the oldest first; resolves to their ids. */
export async function lockOrphanedTables(sql: Queryable, most: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select table_id as id from tables t where ${orphaned(sql)} order by opened_at, table_id limit ${most} for update`;
  assert(rows.length <= most, 'a node claims its share of tables', rows.length);
  return rows.map(({ id }) => id);
}

interface StoredRow extends Omit<StoredTable, 'sittings'>, Omit<Sitting['player'], 'agentId'> {
  agentId: string | null;
  sitting: string;
  seat: number;
  stack: number;
  decksSeen: number;
}

/**
 * Open tables with their players, as they were at their last commit: those of one shard, or those with these ids. Read it
 * after the shard's epoch was raised: then nothing of it can change any more.
 */
export async function storedTables(
  sql: Queryable,
  of: { shard: number } | { ids: readonly string[] },
): Promise<StoredTable[]> {
  const which = 'shard' in of ? sql`t.shard_no = ${of.shard}` : sql`t.table_id = any(${of.ids as string[]}::uuid[])`;
  const rows = await sql<StoredRow[]>`
    select t.table_id as "tableId", t.pool_id as "poolId", t.hand_number as "handNumber", t.button_seat as button,
      t.big_blind_seat as "bigBlindSeat", t.seq_reserved as "seqFloor", e.agent_id as "agentId", e.sitting,
      e.seat_no as seat, e.chips_at_table as stack, e.decks_seen as "decksSeen", coalesce(p.display_name, a.name) as name, a.avatar_url as "avatarUrl",
      a.shown_slug as "publicProfileSlug", e.premium as "isPro", a.is_house as "isHouse",
      e.auto_rebuy and (c.competition_id is null or e.rebuys < c.max_rebuys) as "autoRebuy"
    from tables t left join entries e using (table_id) left join agents a using (agent_id)
      left join competitions c on c.competition_id = t.pool_id
      left join competition_participants p on p.competition_id = t.pool_id and p.agent_id = e.agent_id
    where t.status = 'open' and ${which}
    order by t.opened_at, t.table_id, e.seat_no`;
  const tables = new Map<string, StoredTable>();
  for (const row of rows) {
    const { tableId, poolId, handNumber, button, bigBlindSeat, seqFloor } = row;
    let table = tables.get(tableId);
    if (!table) {
      table = { tableId, poolId, handNumber, button, bigBlindSeat, seqFloor, sittings: [] };
      tables.set(tableId, table);
      assertWhole(handNumber, 'the number of the last stored hand');
      assertWhole(seqFloor, 'the stored bound of table_seq');
    }
    const { agentId, seat: index } = row;
    if (agentId === null) continue;
    assert(
      table.sittings.every(({ seat }) => seat !== index),
      'a stored seat has one player',
      index,
    );
    table.sittings.push(sittingOf(row, agentId));
  }
  return [...tables.values()];
}

function sittingOf(row: StoredRow, agentId: string): Sitting {
  const { sitting, seat, stack, decksSeen, name, avatarUrl, publicProfileSlug, isPro, isHouse, autoRebuy } = row;
  assertWhole(seat, 'a stored seat');
  assertWhole(stack, 'a stored stack');
  return {
    sitting,
    seat,
    stack,
    decksSeen,
    player: { agentId, name, avatarUrl, publicProfileSlug, isPro, isHouse, autoRebuy },
  };
}
