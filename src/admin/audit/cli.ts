import { existsSync } from 'node:fs';
import { ConfigError, loadConfig, type Config } from '../../ops/config.js';
import { codeOf, connect, isConnectionError, type DatabaseAddress } from '../../store/database.js';
import { findRunning, FolderInUse, openEmbedded } from '../../store/embedded.js';
import { audit } from './index.js';

/**
 * `npm run audit`: audits DATABASE_URL, or the database of the server that runs on DATA_DIR, or, when none does, the one
 * stored there. Exit code 0: all is well; 1: something is wrong; 2: the audit could not be made.
 */
async function main(): Promise<void> {
  const { address, stop } = await findDatabase(loadConfig());
  const sql = connect(address, { max: 1, name: 'audit' });
  try {
    const { ok, lines } = await audit(sql);
    console.log(lines.join('\n'));
    process.exitCode = ok ? 0 : 1;
  } finally {
    await sql.end();
    await stop();
  }
}

async function findDatabase(config: Config): Promise<{ address: DatabaseAddress; stop(): Promise<void> }> {
  const leave = async () => undefined;
  if (config.DATABASE_URL !== undefined) return { address: { url: config.DATABASE_URL }, stop: leave };
  const { DATA_DIR: dataDir } = config;
  if (!existsSync(dataDir)) throw new ConfigError(`there is no database: DATA_DIR ${dataDir} does not exist`);
  const running = await findRunning(dataDir);
  if (running) return { address: running, stop: leave };
  const say = (message: string) => console.error(message);
  return openEmbedded({ dataDir, log: { info: say, warn: say, error: say } });
}

try {
  await main();
} catch (error) {
  const plain = error instanceof ConfigError || error instanceof FolderInUse;
  console.error(plain ? error.message : isConnectionError(error) ? `the database is away: ${codeOf(error)}` : error);
  process.exitCode = 2;
}
