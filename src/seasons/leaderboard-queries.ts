import { openCursor, portions } from '../store/cursor.js';
import { transaction, type Database, type Transaction } from '../store/database.js';

/** An entry's part of the standings. */
export interface BoardRow {
  agent_id: string;
  is_house: boolean;
  chip_balance: number;
  chips_at_table: number;
  rebuys: number;
  hands_played: number;
  hands_won: number;
  premium: boolean;
  /** Epoch µs, as exact as it is stored. */
  registered_us: number;
}

/** Below this transaction everything is over: whatever is committed from now on has its number or a later one. */
export async function selectWatermark(sql: Database): Promise<string> {
  const [row] = await sql<{ xid: string }[]>`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`;
  if (row === undefined) throw new Error('a select returned no row');
  return row.xid;
}

/**
 * Gives `take` the entries of a pool, in portions; with a watermark those written since. The rows' own xmin tells it.
 * So a commit of a hand pays for no index and no list of changes: reading the pool's rows each time is cheaper.
 */
export function readWritten(
  sql: Database,
  poolId: string,
  since: string | null,
  take: (rows: readonly BoardRow[]) => void,
): Promise<void> {
  const read = async (tx: Transaction) => {
    const fetch = await openCursor<BoardRow[]>(tx, 'written', written(tx, poolId, since));
    for await (const rows of portions(() => fetch(1000))) take(rows);
  };
  return transaction(sql, read, 'read only');
}

const written = (sql: Transaction, poolId: string, since: string | null) => sql`
    select agent_id, (select is_house from agents a where a.agent_id = e.agent_id) as is_house, chip_balance,
      chips_at_table, rebuys, hands_played, hands_won, premium,
      (extract(epoch from registered_at) * 1000000)::bigint as registered_us
    from entries e
    where pool_id = ${poolId} and (${since}::xid8 is null or age(e.xmin) <= age(${since}::xid8::xid))`;

/** Everybody who is banned. */
export async function selectBanned(sql: Database): Promise<Set<string>> {
  const rows = await sql<{ agent_id: string }[]>`select agent_id from agents where banned_at is not null`;
  return new Set(rows.map(({ agent_id: agentId }) => agentId));
}

export interface BoardName {
  name: string;
  /** Null of who shows no profile. */
  slug: string | null;
}

export async function selectBoardNames(sql: Database, agentIds: readonly string[]): Promise<Map<string, BoardName>> {
  const rows = await sql<({ agent_id: string } & BoardName)[]>`
    select agent_id, name, case when public_profile then public_profile_slug end as slug
    from agents where agent_id = any(${agentIds as string[]}::uuid[])`;
  return new Map(rows.map(({ agent_id, name, slug }) => [agent_id, { name, slug }]));
}

/** The pool's agents with this part (letters, digits and _) in their names. */
export async function selectNamed(sql: Database, poolId: string, part: string, limit: number): Promise<Set<string>> {
  const rows = await sql<{ agent_id: string }[]>`
    select agent_id from agents join entries using (agent_id)
    where pool_id = ${poolId} and position(lower(${part}) in lower(name)) > 0
    order by lower(name) limit ${limit}`;
  return new Set(rows.map(({ agent_id }) => agent_id));
}
