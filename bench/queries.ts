import { temporaryFolder } from '../src/command/folders.js';
import { connect } from '../src/store/database.js';
import { openEmbedded } from '../src/store/embedded.js';
import { migrate } from '../src/store/migrate.js';
import { bench, Steps } from './benches.js';
import { benchAnalytics } from './queries/analytics.js';
import { benchHistory } from './queries/history.js';
import { benchSeasons } from './queries/seasons.js';
import { report, type Figure } from './report.js';

/*
 * The REST endpoints' queries over tables of full size. Each part is a function with rows of its own, against the
 * embedded PostgreSQL.
 */

bench('queries', {});
const quiet = { info: () => undefined, warn: console.warn, error: console.error };
const database = await openEmbedded({ dataDir: temporaryFolder('bench-queries'), log: quiet });
const sql = connect(database.address, { max: 4, name: 'bench' });
await migrate(sql);
const parts = [
  ['seasons', () => benchSeasons(sql)],
  ['history', () => benchHistory(sql, database.address)],
  ['analytics', () => benchAnalytics(sql, database.address)],
] as const;
const figures: Figure[] = [];
const steps = new Steps(parts.length);
for (const [part, run] of parts) {
  steps.next(`${part}: rows are made, then asked for`);
  figures.push(...(await run()));
}
await sql.end();
await database.stop();
process.exitCode = report('queries', figures) ? 0 : 1;
