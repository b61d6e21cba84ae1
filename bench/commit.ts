import { temporaryFolder } from '../src/command/folders.js';
import { commitHands } from '../src/shard/commit/queries.js';
import { connect } from '../src/store/database.js';
import { openEmbedded } from '../src/store/embedded.js';
import { migrate } from '../src/store/migrate.js';
import { encodeRecord } from '../src/table/record/record-codec.js';
import { openRandomTables } from '../test/support/random-table.js';
import { bench, Steps } from './benches.js';
import { atLeast, atMost, median, report, told } from './report.js';

/*
 * Group commits of finished six-player hands by one shard, over one connection, into the embedded PostgreSQL as in
 * production (commits are synced to the disk). One commit at a time, as the shard does it.
 */

bench('commit', {});
const SECONDS = 4;
const ROUNDS = 40;
const quiet = { info: () => undefined, warn: console.warn, error: console.error };
const database = await openEmbedded({ dataDir: temporaryFolder('bench-commit'), log: quiet });
const sql = connect(database.address, { max: 1, name: 'bench', planOnce: true });
await migrate(sql);

/** Milliseconds of each commit of `batch` hands, one a table; new tables now and then, before players are broke. */
async function measure(batch: number): Promise<number[]> {
  const times: number[] = [];
  for (const end = performance.now() + SECONDS * 1000; performance.now() < end;) {
    const { fence, randomTables } = await openRandomTables(sql, { tables: batch, shard: batch, chips: 5000 });
    for (let round = 0; round < ROUNDS; round++) {
      const records = randomTables.map((randomTable) => randomTable.play());
      const start = performance.now();
      await commitHands(sql, fence, records);
      times.push(performance.now() - start);
    }
  }
  return times;
}

const BATCHES = [1, 20, 100];
const steps = new Steps(BATCHES.length);
const bytes = (await openRandomTables(sql, { shard: 5 })).randomTables.flatMap((randomTable) =>
  Array.from({ length: 20 }, () => encodeRecord(randomTable.play()).length),
);
const figures = [atMost('record of a six-player hand', median(bytes), 'bytes', 400)];
for (const batch of BATCHES) {
  steps.next(`commits of ${batch}`);
  const ms = median(await measure(batch));
  console.log(`  commits of ${batch}: ${ms.toFixed(2)} ms`);
  figures.push(told(`commit of ${batch} ${batch === 1 ? 'hand' : 'hands'}`, ms, 'ms'));
  if (batch === 100) figures.push(atLeast('committed by one shard', (1000 * batch) / ms, 'hands/s', 3000));
}
await sql.end();
await database.stop();
process.exitCode = report('commit', figures) ? 0 : 1;
