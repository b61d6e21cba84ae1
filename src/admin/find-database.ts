import { existsSync } from 'node:fs';
import { ConfigError, type Config } from '../ops/config.js';
import { codeOf, connect, isConnectionError, type Database, type DatabaseAddress } from '../store/database.js';
import { findRunning, FolderInUse, openEmbedded } from '../store/embedded.js';
import { databaseRefusal } from '../store/refusal.js';
import { RoleTaken } from '../store/role-lock.js';

type Place = Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>;

/** The database that a command works on. */
export interface FoundDatabase {
  address: DatabaseAddress;
  /** It runs only because we started it: no server works on it. */
  ours: boolean;
  stop(): Promise<void>;
}

/**
 * Finds DATABASE_URL, or the embedded database of the server that runs on DATA_DIR. If none runs, it starts the one
 * stored there for the time of the command, and announces that by `say`. Throws ConfigError when there is none, unless
 * `make`.
 */
async function findDatabase(config: Place, say: (message: string) => void, make: boolean): Promise<FoundDatabase> {
  const others = { ours: false, stop: async () => undefined };
  if (config.DATABASE_URL !== undefined) return { address: { url: config.DATABASE_URL }, ...others };
  const { DATA_DIR: dataDir } = config;
  if (!make && !existsSync(dataDir)) throw new ConfigError(`there is no database: DATA_DIR ${dataDir} does not exist`);
  const running = await findRunning(dataDir);
  if (running) return { address: running, ...others };
  const { address, stop } = await openEmbedded({ dataDir, log: { info: say, warn: say, error: say } });
  return { address, ours: true, stop };
}

/**
 * Works on that database over one connection; `make`: on an empty one where there is none. Throws ConfigError where the
 * settings lead to none. `say` hears of a database that is started for it.
 */
export async function withDatabase<T>(
  config: Place,
  name: string,
  work: (sql: Database, found: FoundDatabase) => Promise<T>,
  {
    make = false,
    say = (message) => void process.stderr.write(`${message}\n`),
  }: { make?: boolean; say?: (message: string) => void } = {},
): Promise<T> {
  const found = await findDatabase(config, say, make);
  try {
    const sql = connect(found.address, { max: 1, name, standby: true });
    try {
      return await work(sql, found);
    } finally {
      await sql.end();
    }
  } catch (error) {
    throw (config.DATABASE_URL === undefined ? null : databaseRefusal(error, found.address)) ?? error;
  } finally {
    await found.stop();
  }
}

/** A one-line message for an expected error. Null for a bug: print the stack. */
export function inOneLine(error: unknown): string | null {
  const plain = [ConfigError, FolderInUse, RoleTaken].some((kind) => error instanceof kind);
  if (plain) return (error as Error).message;
  return isConnectionError(error) ? `the database is away: ${codeOf(error)}` : null;
}
