/** Shards that another process has taken (ours hung or lost its lock), and shards with threads that never begin. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../../src/command/folders.js';
import { createShardPool } from '../../src/shard/main/pool.js';
import { endOwn } from '../../src/store/node/queries.js';
import { stopCluster } from '../support/database.js';
import { FAULTS } from '../support/faulty-shard.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { LINGERING } from '../support/lingering.js';
import { ShardHouse } from '../support/shard-house.js';
import { STILLBORN } from '../support/stillborn.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

await t.test('a house whose shards another took ends, and never takes them back', async (t) => {
  const earlier = await ShardHouse.open(t, { threads: 2 });
  const games = [await earlier.game(0, 2, 5000), await earlier.game(1, 3, 5000)];
  await earlier.until(() => games.every(({ bots }) => bots[0]!.results.length >= 5));

  const later = await ShardHouse.open(t, { threads: 2, database: earlier.database });
  // Its shards learn it with their next write, and its supervisor before a restart.
  await Promise.race([earlier.until(() => earlier.displaced.length === 2), later.until(() => later.lost.length > 0)]);
  t.same(later.lost, [], 'the later house keeps its shards');
  t.match(earlier.displaced, [/another process has taken over/, /this one must end/]);
  t.same(earlier.lost.map(({ shard }) => shard).sort(), [0, 1], 'each shard was lost once, and not started again');

  t.equal(later.restored.flatMap((restored) => restored.tables).length, 2, 'the tables are where the later house is');
  const before = await epochs(later);
  const { bots } = await later.game(0, 3);
  await later.until(() => bots[0]!.results.length >= 10);
  t.same(await epochs(later), before, 'nobody raised an epoch any more');
  t.same(later.lost, []);
  t.equal(await later.surplus(), 0);
});

await t.test('a house that was displaced before it played fails its start at once', async (t) => {
  const earlier = await ShardHouse.open(t, {
    prepared: (sql, nodeId) => endOwn(sql, nodeId),
  }).catch((error: unknown) => error as Error);
  t.match(earlier, { message: /shard 0 does not start: another process has taken over/ });
});

await t.test('a thread that ends before it took its task is replaced at once', async (t) => {
  const entry = new URL('../support/stillborn-shard.js', import.meta.url);
  // The limit of a start is an hour, far above the test's own limit.
  const house = await ShardHouse.open(t, { entry, heartbeat: { startMs: 3_600_000 } });
  const { bots } = await house.game(0, 2);
  await house.until(() => bots[0]!.results.length >= 2);
  process.env[STILLBORN] = 'yes';
  t.teardown(() => (process.env[STILLBORN] = 'no'));
  house.inflict(bots[0]!, FAULTS.exit);
  await house.until(() => house.lost.length === 1);
  await eventually('the replacement to end too', () =>
    house.log.some(({ detail }) => String(detail['reason']).includes('before it took its task')),
  );
  process.env[STILLBORN] = 'no';
  await eventually('the shard to play again', () => house.pool.isReady(0));
  for (const bot of bots) house.attach(bot);
  const results = bots[0]!.results.length;
  await house.until(() => bots[0]!.results.length > results);
});

await t.test('a pool that was stopped has no thread, also where one ends later than that in its place', async (t) => {
  const threads = () => readdirSync('/proc/self/task').length;
  const folder = temporaryFolder('lingering');
  t.teardown(() => rmSync(folder, { recursive: true }));
  const busy = join(folder, 'busy');
  process.env[LINGERING] = busy;
  // From now on the threads that read files for this process exist.
  await stat(folder);
  const before = threads();
  const pool = createShardPool({
    threads: 1,
    entry: new URL('../support/lingering-shard.js', import.meta.url),
    settings: { database: { url: 'postgres://nowhere' } },
    recover: async () => ({ fence: { shard: 0, epoch: 1 }, tables: [] }),
    onDisplaced: () => undefined,
    log: () => undefined,
  });
  const started = pool.start({ onFrames: () => undefined, onMessage: () => undefined });
  started.catch(() => undefined);
  await eventually('a thread that cannot be ended', () => existsSync(busy));
  await pool.stop();
  t.ok(threads() > before, 'it is there yet');
  rmSync(busy);
  let calm = 0;
  await eventually('no thread to be left, and none to come', () => (calm = threads() > before ? 0 : calm + 1) > 50);
});

async function epochs(house: ShardHouse): Promise<number[]> {
  const rows = await house.sql<{ epoch: number }[]>`select epoch from shards order by shard_no`;
  return rows.map(({ epoch }) => epoch);
}
