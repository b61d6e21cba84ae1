/** The store: the embedded database through restarts and kills, values, retries, migrations. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { EventEmitter, getEventListeners, once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { inTime } from '../../src/store/bounded.js';
import { openCursor, portions } from '../../src/store/cursor.js';
import {
  codeOf,
  connect,
  isConnectionError,
  retrying,
  transaction,
  type DatabaseAddress,
  type Fragment,
} from '../../src/store/database.js';
import { findRunning, openEmbedded } from '../../src/store/embedded.js';
import { findAccounts } from '../../src/store/embedded/account.js';
import { findPackage, findPrograms } from '../../src/store/embedded/binaries.js';
import { migrate } from '../../src/store/migrate.js';
import { freshDatabase, freshPool, openPool, silent, stopCluster, type Scope } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';

t.teardown(stopCluster);
// Servers start and stop many times here, on a machine with other work.
t.setTimeout(FILE_MS);

function tempFolder(t: Scope, mode?: { closed: boolean }): string {
  const folder = mkdtempSync(join(tmpdir(), 'agent-poker-store-'));
  t.teardown(async () => rmSync(folder, { recursive: true, force: true }));
  if (!mode) return folder;
  mkdirSync(join(folder, 'closed', 'data'), { recursive: true, mode: 0o700 });
  return join(folder, 'closed', 'data');
}

interface Child {
  process: ChildProcess;
  said: { address?: DatabaseAddress; error?: string };
}

/** Starts another process with the embedded database of a folder. */
async function startChild(t: Scope, ...args: string[]): Promise<Child> {
  const file = join(import.meta.dirname, '..', 'support', 'embedded-child.js');
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.teardown(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit');
      child.stdin.end();
      await exited;
    }
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { process: child, said: JSON.parse(line.toString()) as Child['said'] };
}

async function killed(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

const postmasterOf = (folder: string) =>
  Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

/** False also for an ended process that waits for its parent. */
const runs = (pid: number) =>
  spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
    .stdout.trim()
    .replace(/^Z.*/, '') !== '';

void t.test('the embedded database', async (t) => {
  // One cluster with full durability, for the tests of restarts. The others are made in half the time.
  const durable = tempFolder(t);

  await t.test('keeps what was committed over restarts, and lets nobody else in', async (t) => {
    const dataDir = durable;
    const first = await openEmbedded({ dataDir, log: silent });
    const sql = connect(first.address, { max: 1, name: 'test' });
    await sql`create table kept as select 42 as answer`;
    t.same(await sql`show synchronous_commit`, [{ synchronous_commit: 'on' }]);
    t.same(await sql`show fsync`, [{ fsync: 'on' }]);
    t.same(await sql`show listen_addresses`, [{ listen_addresses: '' }], 'it has no port');
    t.equal(statSync(join(first.folder, 'socket')).mode & 0o777, 0o700);
    t.equal(statSync(join(dataDir, 'connection.json')).mode & 0o777, 0o600);
    t.same(await findRunning(dataDir), first.address);
    await sql.end();
    await first.stop();
    t.equal(await findRunning(dataDir), null);
    t.same(readdirSync(dataDir).sort(), ['postgres', 'postgres.log'], 'nothing but the data stays');

    const second = await openEmbedded({ dataDir, log: silent });
    const again = connect(second.address, { max: 1, name: 'test' });
    t.same(await again`select answer from kept`, [{ answer: 42 }]);
    await again.end();
    await second.stop();
  });

  await t.test('of a live server is not touched by a second one', async (t) => {
    const dataDir = tempFolder(t);
    const holder = await startChild(t, dataDir, 'temporary');
    const sql = connect(holder.said.address!, { max: 1, name: 'test' });
    await t.rejects(openEmbedded({ dataDir, log: silent }), { name: 'FolderInUse' });
    const { said } = await startChild(t, dataDir);
    t.match(said.error, new RegExp(`in use by another server \\(process ${holder.process.pid}\\): stop it first`));
    t.notMatch(said.error, '\n', 'one line');
    t.same(await sql`select 1 as one`, [{ one: 1 }]);
    await sql.end();
  });

  await t.test('outlives its killed server, and the next one stops it and goes on', async (t) => {
    const dataDir = durable;
    const victim = await startChild(t, dataDir);
    const sql = connect(victim.said.address!, { max: 1, name: 'test' });
    await sql`create table told as select 42 as answer`;
    const orphan = postmasterOf(dataDir);
    await killed(victim.process);
    t.same(await sql`select answer from told`, [{ answer: 42 }], 'the orphan works on');
    await sql.end();

    const messages: string[] = [];
    const log = { ...silent, info: (message: string) => messages.push(message) };
    const heir = await openEmbedded({ dataDir, log });
    t.match(messages, [`stopping PostgreSQL (process ${orphan}) that an earlier run left behind`]);
    t.notOk(runs(orphan));
    const again = connect(heir.address, { max: 1, name: 'test' });
    t.same(await again`select answer from told`, [{ answer: 42 }]);
    await again.end();
    await heir.stop();
  });

  await t.test('starts over what a killed server left, even where its number has another owner by now', async (t) => {
    const dataDir = durable;
    // The program must run under PostgreSQL's account. Otherwise PostgreSQL itself detects the stale number.
    const { uid, gid } = findAccounts().server;
    const stranger = spawn('sleep', ['600'], { uid, gid, stdio: 'ignore' });
    t.teardown(() => killed(stranger));
    mkdirSync(join(dataDir, 'socket'), { recursive: true });
    // Empty: the server was killed between making the file and writing it.
    for (const left of [`${stranger.pid}\n`, '']) {
      writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), left);
      writeFileSync(join(dataDir, 'socket', '.s.PGSQL.5432.lock'), left);
      const database = await openEmbedded({ dataDir, log: silent });
      t.equal(stranger.exitCode, null, 'the stranger lives');
      await database.stop();
      mkdirSync(join(dataDir, 'socket'), { recursive: true });
    }
  });

  await t.test('is started again when it dies, and who waits for it goes on', async (t) => {
    const dataDir = tempFolder(t);
    const database = await openEmbedded({ dataDir, log: silent, temporary: true });
    const sql = connect(database.address, { max: 2, name: 'test' });
    const before = postmasterOf(dataDir);
    await sql`select 1`;
    process.kill(before, 'SIGKILL');
    // postgres.js forgets statements between the error of a connection and its end. The platform's own pools have a
    // time limit.
    const answered = <T>(statement: PromiseLike<T>) => inTime(statement, 10_000);
    // On a busy machine it may be back before a statement comes.
    await eventually('another server', async () => {
      await answered(sql`select 1`).catch((error: unknown) => {
        t.ok(isConnectionError(error), `${codeOf(error)} tells that the database is away`);
      });
      return existsSync(join(dataDir, 'postgres', 'postmaster.pid')) && postmasterOf(dataDir) !== before;
    });
    t.same(await retrying(() => answered(sql`select 2 as two`)), [{ two: 2 }]);
    t.not(postmasterOf(dataDir), before);
    // A wait for forgotten statements would be in vain.
    await sql.end({ timeout: 1 });
    await database.stop();
  });

  await t.test('leaves nothing behind when it is temporary, however its process ends', async (t) => {
    const dataDir = tempFolder(t);
    const child = await startChild(t, dataDir, 'temporary');
    const postmaster = postmasterOf(dataDir);
    await killed(child.process);
    await eventually('the folder to be gone', () => !existsSync(dataDir));
    t.notOk(runs(postmaster));

    const polite = await startChild(t, dataDir, 'temporary');
    polite.process.stdin!.end();
    await once(polite.process, 'exit');
    t.notOk(existsSync(dataDir));
  });

  for (const where of ['a short', 'as long a']) {
    await t.test(`works in a folder with a name too long for a socket, with ${where} temporary folder`, async (t) => {
      const folder = tempFolder(t);
      const dataDir = join(folder, 'x'.repeat(100));
      const { TMPDIR } = process.env;
      t.teardown(() => {
        if (TMPDIR === undefined) delete process.env['TMPDIR'];
        else process.env['TMPDIR'] = TMPDIR;
      });
      const temporary = where === 'a short' ? '/tmp' : join(folder, 'y'.repeat(60));
      mkdirSync(temporary, { recursive: true });
      process.env['TMPDIR'] = temporary;
      const database = await openEmbedded({ dataDir, log: silent, temporary: true });
      const sql = connect(database.address, { max: 1, name: 'test' });
      t.same(await sql`select 1 as one`, [{ one: 1 }]);
      await t.rejects(openEmbedded({ dataDir, log: silent }), { name: 'FolderInUse' });
      await sql.end();
      await database.stop();
      if (where === 'a short') return;

      // Its sockets lie in the temporary folder, where no process looks for them.
      const { process: victim, said } = await startChild(t, dataDir);
      const sockets = decodeURIComponent(new URL(said.address!.url).host);
      t.ok(existsSync(sockets) && !sockets.startsWith(dataDir), sockets);
      await killed(victim);
      await eventually('its sockets to be gone', () => !existsSync(sockets));
      await startChild(t, dataDir, 'temporary');
    });
  }

  const root = process.getuid?.() === 0;
  const onlyRoot = root ? {} : { skip: 'needs root' };
  await t.test('moves to a reachable place from below a closed folder, and says so', onlyRoot, async (t) => {
    const dataDir = tempFolder(t, { closed: true });
    const warnings: string[] = [];
    const log = { ...silent, warn: (message: string) => warnings.push(message) };
    const database = await openEmbedded({ dataDir, log, temporary: true });
    t.match(database.folder, /^\/var\/lib\/agent-poker\/data-[0-9a-f]{12}$/);
    t.match(warnings, [`cannot reach ${dataDir}: the database lives in ${database.folder}`]);
    await t.rejects(openEmbedded({ dataDir, log: silent }), { name: 'FolderInUse' });
    await database.stop();
    t.notOk(existsSync(database.folder));
  });

  await t.test('runs from a copy where its programs are closed or incomplete', onlyRoot, async (t) => {
    const { server } = findAccounts();
    const native = join(tempFolder(t, { closed: true }), 'native');
    const cache = tempFolder(t);
    chmodSync(cache, 0o755);
    const folders = [join(native, 'closed'), cache];
    const whole = findPackage();
    // The package as npm unpacks it without install scripts: without symbolic links.
    cpSync(whole.native, native, { recursive: true, filter: (path) => !/\.so(\.\d+)?$/.test(path) });
    const programs = findPrograms(server, folders, { ...whole, native });
    t.match(programs.initdb, cache);
    const run = spawn(programs.initdb, ['--version'], { uid: server.uid, gid: server.gid, cwd: '/' });
    t.same(await once(run, 'exit'), [0, null], 'the account can run them');
    t.same(findPrograms(server, folders, { ...whole, native }), programs, 'the copy is used again');
  });
});

void t.test('values arrive as the house writes them', async (t) => {
  const sql = await freshPool(t);
  const id = '0190b2c4-8e2f-7a10-9f00-000000000001';
  const at = new Date('2026-01-02T03:04:05.678Z');
  const [row] = await sql`
    select ${5_000_000_000}::int8 as chips, ${id}::uuid as id, ${at}::timestamptz as at, ${Buffer.from([0, 255])}::bytea as bytes,
      array[1, 2]::int8[] as several`;
  t.same(row, { chips: 5_000_000_000, id, at, bytes: Buffer.from([0, 255]), several: [1, 2] });
  await t.rejects(
    sql`select 9007199254740993::int8`,
    { name: 'RangeError' },
    'a number that would be rounded is an error',
  );
});

void t.test('a Unix socket may be named as libpq does', async (t) => {
  const { url } = await freshDatabase(t);
  const [, user, folder, database] = /^postgres:\/\/(\w+)@([^/]+)\/(\w+)$/.exec(url)!;
  for (const form of [`?host=${folder}`, `?connect_timeout=5&host=${folder}`, `?host=${folder}&connect_timeout=5`]) {
    const sql = openPool(t, { url: `postgres://${user}@/${database}${form}` });
    t.same(await sql`select current_database() as name`, [{ name: database }], form);
  }
});

void t.test('retrying', async (t) => {
  const away = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  await t.test('repeats what failed because the database is away, and only that', async (t) => {
    let attempts = 0;
    const seen: unknown[] = [];
    const action = () => (++attempts < 3 ? Promise.reject(away) : Promise.resolve('done'));
    t.equal(await retrying(action, { onAway: (error) => seen.push(error) }), 'done');
    t.same(seen, [away, away]);
    await t.rejects(
      retrying(() => Promise.reject(new Error('a bug'))),
      { message: 'a bug' },
    );
  });
  await t.test('gives up when it is told to', async (t) => {
    const abort = new AbortController();
    const waiting = retrying(() => Promise.reject(away), { onAway: () => abort.abort(), signal: abort.signal });
    await t.rejects(waiting, away);
  });
  await t.test('leaves nothing at the signal, however often it tries', async (t) => {
    const { signal } = new AbortController();
    let attempts = 0;
    await retrying(() => (++attempts < 3 ? Promise.reject(away) : Promise.resolve()), { signal });
    t.same(getEventListeners(signal, 'abort'), []);
  });
  await t.test('settles a serialisation failure', async (t) => {
    const sql = await freshPool(t);
    await sql`create table counter as select 0 as value`;
    const bump = () =>
      transaction(
        sql,
        async (tx) => {
          const [row] = await tx<{ value: number }[]>`select value from counter`;
          await tx`update counter set value = ${row!.value + 1}`;
        },
        'isolation level serializable',
      );
    await Promise.all([1, 2, 3, 4].map(() => retrying(bump)));
    t.same(await sql`select value from counter`, [{ value: 4 }]);
  });
});

void t.test('a transaction whose connection breaks between two statements', async (t) => {
  const address = await freshDatabase(t);
  const sql = openPool(t, address, 1);
  const other = openPool(t, address, 1);
  await other`create table marks (mark text)`;
  const steps = new EventEmitter();
  const heard = once(steps, 'late');
  const goOn = once(steps, 'go on');
  const failed = transaction(sql, async (tx) => {
    const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await tx`insert into marks values ('before')`;
    await other`select pg_terminate_backend(${row!.pid}, 5000)`;
    await goOn;
    try {
      await tx`insert into marks values ('after')`;
      steps.emit('late', 'done');
    } catch (error) {
      steps.emit('late', codeOf(error));
    }
  });
  const code = await failed.then(() => 'committed', codeOf);
  t.match(code, /CONNECTION_CLOSED|57P01/);
  await sql`select 'a new connection stands in its place'`;
  steps.emit('go on');
  t.same(await heard, ['CONNECTION_CLOSED']);
  t.same(await other`select * from marks`, [], 'leaves nothing, neither of before nor of what comes later');
  t.equal(await transaction(sql, () => Promise.resolve('done')), 'done', 'and the next one is as good as ever');
});

void t.test('rows in portions: all of them, or the error of what came between', async (t) => {
  const address = await freshDatabase(t);
  const sql = openPool(t, address, 1);
  const other = openPool(t, address, 1);
  const numbers = (of: Fragment, between: () => PromiseLike<unknown>) =>
    transaction(sql, async (tx) => {
      const fetch = await openCursor<{ n: number }[]>(tx, 'numbers', of);
      const all: number[] = [];
      for await (const rows of portions(() => fetch(2))) {
        all.push(...rows.map(({ n }) => n));
        await between();
      }
      return all;
    });
  const upTo = (last: number) => sql`select n, 12 / (7 - n) as divided from generate_series(1, ${last}::int) n`;
  for (const last of [0, 1, 4, 5]) {
    const wanted = Array.from({ length: last }, (_, n) => n + 1);
    t.same(await numbers(upTo(last), async () => undefined), wanted);
  }
  await t.rejects(
    numbers(upTo(9), async () => undefined),
    { code: '22012' },
  );
  const end = () => other`
    select pg_terminate_backend(pid, 60000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  const error = await numbers(upTo(5), end).catch((e: unknown) => e);
  t.ok(isConnectionError(error), String(error));
});

void t.test('migrations', async (t) => {
  const folderWith = (t: Scope, files: Record<string, string>) => {
    const folder = tempFolder(t);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return folder;
  };
  const open = async (t: Scope) => openPool(t, await freshDatabase(t, true));

  await t.test('bring an empty database up to date, once, also when two start at once', async (t) => {
    const sql = await open(t);
    const runs = await Promise.all([migrate(sql), migrate(sql)]);
    const files = readdirSync('sql').sort();
    t.same(
      runs.sort((a, b) => b.length - a.length),
      [files, []],
    );
    t.same(await migrate(sql), []);
    t.same(
      await sql`select name from migrations order by name`,
      files.map((name) => ({ name })),
    );
  });
  await t.test('run in the order of their names, and new ones later', async (t) => {
    const sql = await open(t);
    const folder = folderWith(t, { '002.sql': 'insert into a values (2)', '001.sql': 'create table a (n int)' });
    t.same(await migrate(sql, { folder }), ['001.sql', '002.sql']);
    writeFileSync(join(folder, '003.sql'), 'insert into a values (3); insert into a values (4)');
    t.same(await migrate(sql, { folder }), ['003.sql']);
    t.same(await sql`select n from a order by n`, [{ n: 2 }, { n: 3 }, { n: 4 }]);
  });
  await t.test('change nothing when one fails', async (t) => {
    const sql = await open(t);
    const folder = folderWith(t, { '001.sql': 'create table a (n int)', '002.sql': 'select nonsense' });
    await t.rejects(migrate(sql, { folder }), /nonsense/);
    t.same(await sql`select to_regclass('a') as a, to_regclass('migrations') as m`, [{ a: null, m: null }]);
  });
  await t.test('refuse a database that others have made', async (t) => {
    const sql = await open(t);
    const folder = folderWith(t, { '001.sql': 'create table a (n int)' });
    await migrate(sql, { folder });
    writeFileSync(join(folder, '001.sql'), 'create table a (n bigint)');
    await t.rejects(migrate(sql, { folder }), /001\.sql was changed/);
    rmSync(join(folder, '001.sql'));
    await t.rejects(migrate(sql, { folder }), /does not know: it is older/);
  });
  await t.test('of a newer release are served until one of them is required', async (t) => {
    const sql = await open(t);
    const requires = `create table schema_requires (migration text); insert into schema_requires values ('001.sql')`;
    const folder = folderWith(t, {
      '001.sql': `create table a (n int); ${requires}`,
      '002.sql': 'alter table a add m int',
    });
    await migrate(sql, { folder });
    rmSync(join(folder, '002.sql'));
    t.same(await migrate(sql, { folder }), [], 'a column more does no harm');
    writeFileSync(join(folder, '003.sql'), 'alter table a add k int');
    t.same(await migrate(sql, { folder }), ['003.sql'], 'and a node of another release adds its own');
    await sql`update schema_requires set migration = '002.sql'`;
    await t.rejects(migrate(sql, { folder }), /002\.sql that this release does not know: it is older/);
  });
});
