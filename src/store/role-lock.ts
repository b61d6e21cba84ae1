import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Database, type DatabaseAddress } from './database.js';

/**
 * One process at a time plays a role on a database: it holds an advisory lock on a connection of its own, which the
 * server frees when the process or its host dies.
 */
export interface RoleLock {
  release(): Promise<void>;
}

/** Another process plays the role. */
export class RoleTaken extends Error {
  override name = 'RoleTaken';

  constructor(role: string, holder: string) {
    super(`Another ${role} works on this database (${holder}): one at a time; stop it, or use another database`);
  }
}

export interface RoleEvents {
  /** The connection is gone, and the lock with it; it is being sought again. */
  lost(): void;
  regained(): void;
  /** Another process took the role meanwhile: this one must stop. */
  taken(error: RoleTaken): void;
}

/** How long to wait for the session of a process that has just died. */
const GRACE_MS = 2000;

/** Takes the lock of a role, or throws RoleTaken when another still has it after the grace. */
export async function holdRole(
  address: DatabaseAddress,
  role: string,
  events: RoleEvents,
  graceMs = GRACE_MS,
): Promise<RoleLock> {
  let released = false;
  let held = false;
  const sql = connect(address, {
    max: 1,
    name: role,
    onClose: () => {
      if (held && !released) void regain();
      held = false;
    },
  });
  const take = async () => {
    await takeLock(sql, role, graceMs);
    held = true;
  };

  async function regain(): Promise<void> {
    events.lost();
    while (!released) {
      try {
        await take();
        return events.regained();
      } catch (error) {
        if (error instanceof RoleTaken) return events.taken(error);
        // Whatever else keeps us from it may pass; as long as nobody takes the role, waiting does no harm.
        await sleep(100);
      }
    }
  }

  try {
    await take();
  } catch (error) {
    await sql.end({ timeout: 1 });
    throw error;
  }
  return {
    release: async () => {
      released = true;
      await sql.end({ timeout: 1 });
    },
  };
}

async function takeLock(sql: Database, role: string, graceMs: number): Promise<void> {
  for (const deadline = Date.now() + graceMs; ; await sleep(50)) {
    const [row] = await sql<{ ok: boolean }[]>`select pg_try_advisory_lock(hashtext(${`role ${role}`}), 0) as ok`;
    if (row?.ok) return;
    if (Date.now() > deadline) throw new RoleTaken(role, await holderOf(sql, role));
  }
}

async function holderOf(sql: Database, role: string): Promise<string> {
  const [holder] = await sql<{ pid: number; address: string | null; since: Date }[]>`
    select pid, client_addr::text as address, backend_start as since
    from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and classid::bigint = (hashtext(${`role ${role}`})::bigint & 4294967295) and objid = 0
      and granted and database = (select oid from pg_database where datname = current_database())`;
  if (!holder) return 'just gone';
  return `connected ${holder.address ? `from ${holder.address} ` : ''}since ${holder.since.toISOString()}`;
}
