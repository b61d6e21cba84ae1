/** Connections: the parts of an address, sessions on a pooler, and servers that have become read-only. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { codeOf, connect, isConnectionError, transaction, type DatabaseAddress } from '../../src/store/database.js';
import { findAccounts } from '../../src/store/embedded/account.js';
import { refuseTransactionPooler } from '../../src/store/store.js';
import { databaseRefusal } from '../../src/store/refusal.js';
import { freshDatabase, freshPool, openPool, stopCluster, type Scope } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { TestPlatform } from '../support/platform.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

/** The folder of the socket, the role and the database of an address. */
const partsOf = ({ url }: DatabaseAddress) => {
  const { hostname, username, pathname } = new URL(url);
  return { folder: decodeURIComponent(hostname), role: username, database: pathname.slice(1) };
};

void t.test('a session has its settings before its first statement', async (t) => {
  const sql = connect(await freshDatabase(t), { max: 2, name: 'test', planOnce: true, statementMs: 7000 });
  t.teardown(() => sql.end({ timeout: 1 }));
  const [row] = await sql`
    select current_setting('statement_timeout') as statement, current_setting('plan_cache_mode') as plan,
      current_setting('TimeZone') as zone, current_setting('application_name') as name`;
  t.same(row, { statement: '7s', plan: 'force_generic_plan', zone: 'UTC', name: 'agent-poker test' });
});

void t.test('what comes in pieces, in bulk, or as an error is read as ever', async (t) => {
  const sql = await freshPool(t, 1);
  const rows = await sql<{ text: string; i: number }[]>`
    select repeat('x', 70000) as text, i from generate_series(1, 100) i`;
  t.same([rows.length, rows[99]!.i, rows[99]!.text.length], [100, 100, 70_000]);
  const [{ pid }] = (await sql`select pg_backend_pid() as pid`) as unknown as [{ pid: number }];
  await t.rejects(sql`select 1 / 0`, { code: '22012' });
  t.same(await sql`select pg_backend_pid() as pid`, [{ pid }], 'an error of the statement ends no connection');
});

void t.test('a Unix socket keeps the port of its address', async (t) => {
  for (const url of ['postgres://me@/poker?host=/run/x&port=6000', 'postgres://me@/poker?port=6000&host=%2Frun%2Fx']) {
    t.match(connect({ url }, { max: 1, name: 'test' }).options, { path: '/run/x/.s.PGSQL.6000', database: 'poker' });
  }
});

void t.test('the embedded database takes nothing from PG* variables', async (t) => {
  const stray = { PGPORT: '1', PGSSL: 'require', PGTARGETSESSIONATTRS: 'standby', PGMAX_PIPELINE: 'x', PGPREPARE: 'x' };
  const address = { ...(await freshDatabase(t)), embedded: true };
  Object.assign(process.env, stray);
  t.teardown(async () => {
    for (const name of Object.keys(stray)) Reflect.deleteProperty(process.env, name);
  });
  const sql = openPool(t, address);
  t.same(await sql`select ${1}::int as one`, [{ one: 1 }]);
});

void t.test('a connection that shows a read-only server is not asked again', async (t) => {
  const address = await freshDatabase(t);
  const sql = openPool(t, address, 1);
  const backend = async () => (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]!.pid;
  const first = await backend();
  const refused = transaction(sql, async (tx) => tx`create table refused (n int)`, 'read only');
  t.ok(isConnectionError(await refused.catch((cause: unknown) => cause)));
  const second = await backend();
  t.not(second, first, 'after 25006');
  await sql.unsafe('set default_transaction_read_only = on');
  t.not(await backend(), second, 'as the server says by itself that it takes no writes');

  const { database } = partsOf(address);
  await sql.unsafe(`alter database ${database} set default_transaction_read_only = on`);
  const error: unknown = await openPool(t, address, 1)`select 1`.catch((cause: unknown) => cause);
  t.ok(isConnectionError(error), `a new connection there counts as a database that is away (${codeOf(error)})`);
  t.match(databaseRefusal(error, address), { message: /takes no writes: name the primary, or end its read-only mode/ });
  const reader = connect(address, { max: 1, name: 'test', standby: true });
  t.teardown(() => reader.end({ timeout: 1 }));
  t.same(await reader`select 1 as one`, [{ one: 1 }], 'a command that only reads does with it');
});

void t.test('a server is ready again once its database takes writes again', async (t) => {
  const platform = await TestPlatform.start(t);
  const sql = platform.sql!;
  const [{ name }] = (await sql`select current_database() as name`) as unknown as [{ name: string }];
  /** Acts like a failover that leaves the old primary read-only. */
  const turn = async (setting: string) => {
    const other = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${name}' and application_name <> 'agent-poker test' and pid <> pg_backend_pid()`;
    await sql.unsafe(
      `alter database ${name} ${setting} default_transaction_read_only ${setting === 'set' ? '= on' : ''}`,
    );
    if (setting === 'set') await sql.unsafe(other);
  };
  const { key } = await platform.register();
  const ready = () => platform.api('GET', '/health/ready').then(({ status }) => status);
  await turn('set');
  await eventually('a server that is not ready', async () => (await ready()) === 503, 50);
  const { status } = await platform.api('GET', '/api/me', { key });
  t.ok(status === 200 || status === 503, 'a key that cannot be looked up is no wrong key');
  await turn('reset');
  await eventually('a server that is ready', async () => (await ready()) === 200, 50);
  t.equal((await platform.api('GET', '/api/me', { key })).status, 200);
});

/** A real PgBouncer before the server of an address. */
async function pgbouncer(t: Scope, address: DatabaseAddress, mode: string): Promise<DatabaseAddress> {
  const { server } = findAccounts();
  const { folder: upstream, role, database } = partsOf(address);
  const folder = mkdtempSync(join(tmpdir(), 'agent-poker-pooler-'));
  const config = join(folder, 'pgbouncer.ini');
  writeFileSync(
    config,
    `[databases]\n* = host=${upstream} user=${role}\n[pgbouncer]\nlisten_port = 6432\nunix_socket_dir = ${folder}\n` +
      `auth_type = any\npool_mode = ${mode}\ndefault_pool_size = 30\nlogfile = ${folder}/log\npidfile = ${folder}/pid\n`,
  );
  for (const path of [folder, config]) chownSync(path, server.uid, server.gid);
  const { uid, gid } = server;
  const child = spawn('pgbouncer', ['-q', config], { uid, gid, cwd: '/', stdio: 'ignore' });
  t.teardown(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGQUIT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const pooled = { url: `postgres://${role}@/${database}?host=${folder}&port=6432` };
  await eventually('the pooler', async () => {
    const sql = connect(pooled, { max: 1, name: 'test' });
    return sql`select 1`.then(() => true, () => false).finally(() => sql.end({ timeout: 0 })); // prettier-ignore
  });
  return pooled;
}

const pooler = spawnSync('pgbouncer', ['--version']).status === 0 ? {} : { skip: 'there is no pgbouncer here' };

void t.test('behind a session pooler the server plays as without', pooler, async (t) => {
  const address = await freshDatabase(t);
  const pooled = await pgbouncer(t, address, 'session');
  const sql = connect(pooled, { max: 2, name: 'test', statementMs: 7000 });
  t.teardown(() => sql.end({ timeout: 1 }));
  t.same(await sql`show statement_timeout`, [{ statement_timeout: '7s' }]);
  await refuseTransactionPooler(sql);
  const platform = await TestPlatform.start(t, {}, address, pooled);
  const { key } = await platform.register();
  t.equal((await platform.api('GET', '/api/me', { key })).status, 200);
  t.equal((await platform.api('GET', '/health/ready')).status, 200);
});

for (const mode of ['transaction', 'statement']) {
  void t.test(`a pooler in ${mode} mode is refused at the start, in one sentence`, pooler, async (t) => {
    const address = await freshDatabase(t);
    const pooled = await pgbouncer(t, address, mode);
    await t.rejects(TestPlatform.start(t, {}, address, pooled), {
      message: /DATABASE_URL leads to a pooler in transaction mode/,
    });
  });
}
