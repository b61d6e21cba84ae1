import { join } from 'node:path';
import { connect, type Database } from '../../src/store/database.js';
import { findRunning } from '../../src/store/embedded.js';
import type { Server } from './servers.js';

/** Hands that copies are made of. */
const SAMPLE = 2000;
/** Rows of `hands` a statement. */
const STEP = 100_000;
/** The copies were played one a millisecond, up to this long before now. */
const BEFORE_MS = 3_600_000;

/**
 * Fills the database of a running server with copies of its hands, until so many are stored. Records and players stay;
 * ids and times are new and earlier than all play to come. Resolves to the number stored.
 */
export async function storeHands(server: Server, wanted: number, progress: (stored: number) => void): Promise<number> {
  const address = await findRunning(server.folder);
  if (address === null) throw new Error(`no database runs in ${join(server.folder)}`);
  const sql = connect(address, { max: 1, name: 'growth' });
  try {
    return await fill(sql, wanted, progress);
  } finally {
    await sql.end();
  }
}

async function fill(sql: Database, wanted: number, progress: (stored: number) => void): Promise<number> {
  const [pool] = await sql<{ id: string; count: number }[]>`
    select pool_id as id, count(*)::integer as count from hands group by pool_id order by count(*) desc limit 1`;
  if (pool === undefined) throw new Error('no hand was played yet');
  // One session: the sample is there for it alone. A crash may lose the copies, so nothing waits for the disk.
  await sql`set synchronous_commit = off`;
  await sql`
    create temporary table sample as
    select row_number() over () - 1 as n, h.* from (
      select * from hands where pool_id = ${pool.id} order by hand_id desc limit ${SAMPLE}) h`;
  await sql`create unique index on sample (n)`;
  await sql`
    create temporary table sample_players as
    select s.n, p.agent_id, p.seat, p.stack_start, p.stack_end
    from sample s join hand_players p using (pool_id, hand_id)`;
  await sql`create index on sample_players (n)`;
  await sql`analyze sample`;
  await sql`analyze sample_players`;
  const [{ size }] = await sql<[{ size: number }]>`select count(*)::integer as size from sample`;
  let stored = pool.count;
  for (let first = 0; stored < wanted; first += STEP) {
    const count = Math.min(STEP, wanted - stored);
    await copy(sql, { pool: pool.id, first, count, size, start: Date.now() - BEFORE_MS - wanted });
    stored += count;
    progress(stored);
  }
  await sql`vacuum analyze hands`;
  await sql`vacuum analyze hand_players`;
  await sql`checkpoint`;
  return stored;
}

interface Copies {
  pool: string;
  first: number;
  count: number;
  size: number;
  /** Epoch ms of the first of all. */
  start: number;
}

function copy(sql: Database, { pool, first, count, size, start }: Copies): Promise<unknown> {
  return sql`
    with made as materialized (
      select i % ${size}::integer as n, ${start}::bigint + i as ms,
        (lpad(to_hex(${start}::bigint + i), 12, '0') || '7' || substr(md5(i::text), 1, 3) || '8'
          || substr(md5(i::text), 4, 15))::uuid as id
      from generate_series(${first}::integer, ${first + count - 1}::integer) i),
    stored as (
      insert into hands (pool_id, hand_id, table_id, hand_number, started_at, ended_at, total_pot, record)
      select ${pool}, id, s.table_id, s.hand_number, to_timestamp(ms / 1000.0), to_timestamp(ms / 1000.0), s.total_pot,
        s.record
      from made join sample s using (n))
    insert into hand_players (pool_id, agent_id, hand_id, seat, stack_start, stack_end)
    select ${pool}, p.agent_id, id, p.seat, p.stack_start, p.stack_end from made join sample_players p using (n)`;
}
