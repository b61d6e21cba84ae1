import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Database, type DatabaseAddress } from './database.js';

/**
 * Roles on a database, by advisory locks, which go when the process or its host dies. `server`: shared by all that
 * serves from the database, held alone by a restore, and by servers of releases before nodes had leases. `start`: a
 * server begins, and may bring the schema up to date.
 */
export type Role = 'server' | 'start';

/** Another process plays the role. */
export class RoleTaken extends Error {
  override name = 'RoleTaken';

  constructor(holder: string) {
    super(`Another server works on this database (${holder}). Stop it, or use another database`);
  }
}

/** How long to wait for a process that has just died, or is about to end. */
export const GRACE_MS = 2000;

/** Has a role alone, on a connection of its own, as long as `work` takes. Throws RoleTaken. */
export async function withRole<T>(address: DatabaseAddress, role: Role, work: () => Promise<T>): Promise<T> {
  const sql = connect(address, { max: 1, name: role });
  try {
    await takeRole(sql, role, 'alone');
    return await work();
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Takes a role for the session of the one connection of `sql`. Throws RoleTaken when it is taken after the grace. */
export async function takeRole(sql: Database, role: Role, how: 'alone' | 'shared', graceMs = GRACE_MS): Promise<void> {
  const key = sql`hashtext(${`role ${role}`})`;
  const lock = how === 'alone' ? sql`pg_try_advisory_lock(${key}, 0)` : sql`pg_try_advisory_lock_shared(${key}, 0)`;
  for (const deadline = performance.now() + graceMs; ; await sleep(50)) {
    const [row] = await sql<{ ok: boolean }[]>`select ${lock} as ok`;
    if (row?.ok) return;
    if (performance.now() > deadline) throw new RoleTaken(await holderOf(sql, role));
  }
}

/** Gives back a role that the session has alone. */
export async function leaveRole(sql: Database, role: Role): Promise<void> {
  await sql`select pg_advisory_unlock(hashtext(${`role ${role}`}), 0)`;
}

async function holderOf(sql: Database, role: Role): Promise<string> {
  const [holder] = await sql<{ pid: number; address: string | null; since: Date }[]>`
    select pid, client_addr::text as address, backend_start as since
    from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and classid::bigint = (hashtext(${`role ${role}`})::bigint & 4294967295) and objid = 0
      and granted and database = (select oid from pg_database where datname = current_database())`;
  if (!holder) return 'just gone';
  return `connected ${holder.address ? `from ${holder.address} ` : ''}since ${holder.since.toISOString()}`;
}
