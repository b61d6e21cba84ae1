import type { Database } from '../../store/database.js';
import type { Leadership } from '../../store/node/leadership.js';
import type { TableOpening, TableRules } from '../../table/api.js';
import { closeAbandonedTables, storedTables } from '../commit/queries.js';

/** What the leader stores of the shards of nodes: whose they are, and whose tables theirs become. */

/** What a node finds that takes the lead. */
export interface InheritedShards {
  /** Of nodes that live. */
  living: { shard: number; epoch: number; holder: string }[];
  /** Their tables are nobody's. */
  orphaned: number[];
}

/**
 * Leaves the shards of nodes that live as they are, and takes all others from whoever had them, which waits for writes
 * under way and fences off later ones: these are nobody's then.
 */
export async function inheritShards(sql: Database, leadership: Leadership): Promise<InheritedShards> {
  return leadership.transaction(sql, async (tx) => {
    await tx`
      update shards set epoch = epoch + 1, holder = null
      where not exists (select from nodes where node_id = holder and ended_at is null)`;
    const living = await tx<InheritedShards['living']>`
      select shard_no as shard, epoch, holder from shards where holder is not null order by shard_no`;
    const orphaned = await tx<{ shard: number }[]>`
      select distinct shard_no as shard from tables t
      where status = 'open' and not exists (select from shards s where s.shard_no = t.shard_no and holder is not null)
      order by shard_no`;
    return { living: [...living], orphaned: orphaned.map(({ shard }) => shard) };
  });
}

/** The tables of a shard as they are stored, which may be a moment ago. */
export async function openTables(sql: Database, shard: number, rulesOf: LostShard['rulesOf']): Promise<TableOpening[]> {
  const stored = await storedTables(sql, shard);
  return stored.map((table) => ({ ...table, rules: rulesOf(table.poolId).table }));
}

/**
 * Gives a number to a shard of another node, with an epoch that no writer has; resolves to that, or to null where the
 * node has ended. Nobody else has the number: the leader deals them out, and took all at its start.
 */
export async function lendShard(
  sql: Database,
  leadership: Leadership,
  shard: number,
  nodeId: string,
): Promise<number | null> {
  return leadership.transaction(sql, async (tx) => {
    // Whoever ends it waits, and finds the shard to be its.
    const [node] = await tx`select from nodes where node_id = ${nodeId} and ended_at is null for share`;
    if (node === undefined) return null;
    const [row] = await tx<{ epoch: number }[]>`
      insert into shards (shard_no, epoch, holder) values (${shard}, 1, ${nodeId})
      on conflict (shard_no) do update set epoch = shards.epoch + 1, holder = excluded.holder
      returning epoch`;
    return row!.epoch;
  });
}

/** A table of a shard that is lost, and the shard that has it now. */
export interface DealtTable {
  opening: TableOpening;
  shard: number;
}

export interface LostShard {
  shard: number;
  /** The shards that live, and how many play on each. */
  players: ReadonlyMap<number, number>;
  rulesOf: (poolId: string) => { table: TableRules };
  /** Kept from one attempt to the next. */
  decided?: Decided;
}

/** By shard: what attempts to deal its tables out have decided, where it is not known whether that is stored. */
export type Decided = Map<number, readonly DealtTable[]>;

/**
 * Of an attempt that was not answered the next one finds the tables to be the takers' already, though nobody has told
 * these: it dealt them out as well.
 */
export function withThoseBefore(decided: Decided, shard: number, dealt: readonly DealtTable[]): DealtTable[] {
  const now = new Set(dealt.map(({ opening }) => opening.tableId));
  const all = [...(decided.get(shard) ?? []).filter(({ opening }) => !now.has(opening.tableId)), ...dealt];
  decided.set(shard, all);
  return all;
}

/**
 * Takes a shard from whoever has it, which waits for writes under way and fences off later ones: it is nobody's then.
 * Deals its tables, as they were at their last commit, out to shards that live, the fewest players first. Those where
 * nobody sits close.
 */
export async function dealOut(
  sql: Database,
  leadership: Leadership,
  { shard, players, rulesOf, decided = new Map() }: LostShard,
): Promise<DealtTable[]> {
  if (players.size === 0) throw new Error('no shard plays that could have the tables');
  const all = await leadership.transaction(sql, async (tx) => {
    // One after the other, but sent together: players wait, and each answer takes its time.
    const [, , stored] = await Promise.all([
      tx`update shards set epoch = epoch + 1, holder = null where shard_no = ${shard}`,
      closeAbandonedTables(tx, shard),
      storedTables(tx, shard),
    ]);
    const counts = new Map(players);
    const dealt = stored.map((table): DealtTable => {
      const [taker] = [...counts].reduce((least, other) => (other[1] < least[1] ? other : least));
      counts.set(taker, counts.get(taker)! + table.sittings.length);
      return { opening: { ...table, rules: rulesOf(table.poolId).table }, shard: taker };
    });
    const known = withThoseBefore(decided, shard, dealt);
    if (dealt.length === 0) return known;
    const ids = dealt.map(({ opening }) => opening.tableId);
    const takers = dealt.map((table) => table.shard);
    await tx`
      update tables t set shard_no = d.shard_no
      from unnest(${ids}::uuid[], ${takers}::integer[]) as d (table_id, shard_no)
      where t.table_id = d.table_id`;
    return known;
  });
  decided.delete(shard);
  return all;
}
