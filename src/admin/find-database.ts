import { existsSync } from 'node:fs';
import { ConfigError, type Config } from '../ops/config.js';
import type { DatabaseAddress } from '../store/database.js';
import { findRunning, openEmbedded } from '../store/embedded.js';

/** The database that a command works on. */
export interface FoundDatabase {
  address: DatabaseAddress;
  /** It runs only because we started it: no server works on it. */
  ours: boolean;
  stop(): Promise<void>;
}

/**
 * DATABASE_URL; or the embedded database of the server that runs on DATA_DIR; or, when none does, the one stored there,
 * started for as long as the command takes, of which `say` is told. Throws ConfigError when there is none.
 */
export async function findDatabase(
  config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>,
  say: (message: string) => void,
): Promise<FoundDatabase> {
  const others = { ours: false, stop: async () => undefined };
  if (config.DATABASE_URL !== undefined) return { address: { url: config.DATABASE_URL }, ...others };
  const { DATA_DIR: dataDir } = config;
  if (!existsSync(dataDir)) throw new ConfigError(`there is no database: DATA_DIR ${dataDir} does not exist`);
  const running = await findRunning(dataDir);
  if (running) return { address: running, ...others };
  const { address, stop } = await openEmbedded({ dataDir, log: { info: say, warn: say, error: say } });
  return { address, ours: true, stop };
}
