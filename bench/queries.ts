import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../src/store/database.js';
import { openEmbedded } from '../src/store/embedded.js';
import { migrate } from '../src/store/migrate.js';
import { benchAnalytics } from './queries/analytics.js';
import { benchHistory } from './queries/history.js';
import { benchSeasons } from './queries/seasons.js';
import { report } from './report.js';

/*
 * What the REST endpoints ask of the database, over tables as large as they become: one function a part, each with rows
 * of its own, against the embedded PostgreSQL.
 */

const quiet = { info: () => undefined, warn: console.warn, error: console.error };
const folder = mkdtempSync(join(tmpdir(), 'agent-poker-bench-queries-'));
const database = await openEmbedded({ dataDir: folder, log: quiet });
const sql = connect(database.address, { max: 4, name: 'bench' });
await migrate(sql);
const figures = [
  ...(await benchSeasons(sql)),
  ...(await benchHistory(sql, database.address)),
  ...(await benchAnalytics(sql, database.address)),
];
await sql.end();
await database.stop();
rmSync(folder, { recursive: true, force: true });
process.exitCode = report('queries', figures) ? 0 : 1;
