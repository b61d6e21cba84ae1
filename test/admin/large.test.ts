/** Backup, restore and audit of data of a real size: 50,000 hands, and every table above what a driver reads at once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { restore } from '../../src/admin/backup/read.js';
import { backup } from '../../src/admin/backup/write.js';
import { Act } from '../../src/holdem/types.js';
import { commitHands } from '../../src/shard/commit/queries.js';
import { isConnectionError, type Database, type DatabaseAddress } from '../../src/store/database.js';
import { repeatHands } from '../support/bulk-hands.js';
import { runCommand } from '../support/command.js';
import { freshDatabase, openPool, stopCluster } from '../support/database.js';
import { dropRules, fillTables, FULL_BYTES, sumsOf } from '../support/full-tables.js';
import { FILE_MS } from '../support/limits.js';
import { bareEnv, temporaryFolder } from '../support/platform.js';
import { openRandomTables } from '../support/random-table.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const HANDS = 50_000;
const folder = temporaryFolder(t);
const run = ({ url }: DatabaseAddress, path: string, ...args: string[]) =>
  runCommand(`admin/${path}`, args, { DATABASE_URL: url });
const takeBackup = (address: DatabaseAddress, file: string) => run(address, 'backup/cli.js', 'backup', file);
const takeBack = (address: DatabaseAddress, file: string) => run(address, 'backup/cli.js', 'restore', file);

/** A table of two with sound books: they fold to each other in turn, so that the chips end where they began. */
async function playMany(sql: Database): Promise<void> {
  const { fence, randomTables } = await openRandomTables(sql, { tables: 1, players: 2 });
  const fold = () => randomTables[0]!.play((hand) => hand.act(Act.fold));
  const two = [fold(), fold()] as const;
  await commitHands(sql, fence, [two[0]]);
  await commitHands(sql, fence, [two[1]]);
  await repeatHands(sql, two, HANDS - 2);
}

/** Ends the sessions that work on the database of `sql` over other pools. */
const killOthers = async (sql: Database) => sql`
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`;

const full = await freshDatabase(t);
const fullSql = openPool(t, full);
await dropRules(fullSql);
await fillTables(fullSql, HANDS);
const fullFile = join(folder, 'full.gz');

await t.test('every row of every table comes back, whatever it holds', async (t) => {
  const sums = await sumsOf(fullSql);
  for (const [name, { bytes }] of sums) {
    if (name !== 'migrations') t.ok(bytes > FULL_BYTES, `${name} holds more than a driver reads at once`);
  }
  t.equal([...sums].find(([name]) => name.startsWith('hands_'))?.[1].rows, HANDS);
  writeFileSync(`${fullFile}.partial`, 'what a killed backup left');
  writeFileSync(`${fullFile}.0123abcd.partial`, 'and another one');
  writeFileSync(`${fullFile}.other`, 'a file of somebody else');
  t.match(await takeBackup(full, fullFile), { code: 0, out: /rows of \d+ tables are in / });
  const left = readdirSync(folder).filter((name) => name.startsWith('full.gz'));
  t.same(left.sort(), ['full.gz', 'full.gz.other'], 'a stale partial file blocks nothing, and is gone');

  const twin = await freshDatabase(t);
  const sql = openPool(t, twin);
  await dropRules(sql);
  t.match(await takeBack(twin, fullFile), { code: 0, out: /are restored from/ });
  t.same(await sumsOf(sql), sums);
});

await t.test('rows that the database refuses end a restore with the reason, and leave it empty', async (t) => {
  const address = await freshDatabase(t, true);
  t.match(await takeBack(address, fullFile), { code: 1, out: '', err: /^the database refuses rows of \w+: .*\n$/ });
  const [there] = await openPool(t, address)`select exists (select from agents) as some`;
  t.same(there, { some: false });
});

await t.test('a backup whose connection breaks says so, and leaves no file', async (t) => {
  const file = join(folder, 'broken.gz');
  const working = openPool(t, full, 1);
  const ended: Promise<unknown>[] = [];
  const end = () => void (ended.length > 0 || ended.push(killOthers(fullSql)));
  const error = await backup(working, file, end).catch((e: unknown) => e);
  await Promise.all(ended);
  t.ok(isConnectionError(error), `a lost connection is no end of the rows: ${String(error)}`);
  t.notOk(existsSync(file));
  t.same(
    readdirSync(folder).filter((name) => name.startsWith('broken')),
    [],
  );
});

await t.test('a restore whose connection breaks says so', async (t) => {
  const twin = await freshDatabase(t);
  const sql = openPool(t, twin);
  await dropRules(sql);
  const working = openPool(t, twin, 1);
  const ended: Promise<unknown>[] = [];
  const error = await restore(working, fullFile, () => void (ended.length > 0 || ended.push(killOthers(sql)))).catch(
    (e: unknown) => e,
  );
  await Promise.all(ended);
  t.ok(isConnectionError(error), String(error));
});

await t.test('a full disk ends a backup in one line', async (t) => {
  const path = new URL('../../src/admin/backup/cli.js', import.meta.url).pathname;
  const file = join(folder, 'large.gz');
  const command = `ulimit -f 200; exec "${process.execPath}" "${path}" backup "${file}"`;
  const child = spawn('sh', ['-c', command], { env: bareEnv({ DATABASE_URL: full.url }), stdio: 'pipe' });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = (await once(child, 'close')) as [number];
  t.match({ code, err }, { code: 1, err: /large\.gz cannot be written: EFBIG[^\n]*\n$/ });
  t.same(
    readdirSync(folder).filter((name) => name.startsWith('large')),
    [],
  );
});

await t.test('50,000 sound hands: backup, restore, and an audit that reads each of them', async (t) => {
  const address = await freshDatabase(t);
  await playMany(openPool(t, address));
  const file = join(folder, 'sound.gz');
  t.match(await takeBackup(address, file), { code: 0 });
  const restored = await freshDatabase(t, true);
  t.match(await takeBack(restored, file), { code: 0 });
  const sql = openPool(t, restored);
  await sql`update hands set total_pot = total_pot + 1 where hand_number = ${HANDS}`;
  const { code, out } = await run(restored, 'audit/cli.js');
  t.match({ code, out }, { code: 1, out: / 2 +50,000 [^]*1 problems:\nhand .*: the record has another pot\n$/ });
});
