import { ConfigError, loadConfig } from '../../ops/config.js';
import { codeOf, connect, isConnectionError } from '../../store/database.js';
import { FolderInUse } from '../../store/embedded.js';
import { findDatabase } from '../find-database.js';
import { audit } from './index.js';

/**
 * `npm run audit`: audits DATABASE_URL, or the database of the server that runs on DATA_DIR, or, when none does, the one
 * stored there. Exit code 0: all is well; 1: something is wrong; 2: the audit could not be made.
 */
async function main(): Promise<void> {
  const { address, stop } = await findDatabase(loadConfig(), (message) => console.error(message));
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

try {
  await main();
} catch (error) {
  const plain = error instanceof ConfigError || error instanceof FolderInUse;
  console.error(plain ? error.message : isConnectionError(error) ? `the database is away: ${codeOf(error)}` : error);
  process.exitCode = 2;
}
