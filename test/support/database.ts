import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Database, type DatabaseAddress } from '../../src/store/database.js';
import { openEmbedded, type EmbeddedDatabase } from '../../src/store/embedded.js';
import { CLUSTER } from '../../src/store/embedded/location.js';
import { migrate } from '../../src/store/migrate.js';
import { Leadership } from '../../src/store/node/leadership.js';

/** What the helpers need of a tap test: to be told when it is over. */
export interface Scope {
  teardown(handler: () => Promise<void>): void;
}

export const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The right to write on a database that no node has led yet. */
export const leadership = new Leadership(0, () => undefined);

/**
 * A server of its own: the test process has one, in a temporary folder that goes when the process ends, however it
 * ends.
 */
let cluster: Promise<EmbeddedDatabase> | null = null;
const TEMPLATE = 'migrated';
/** Where the runner has one that all files copy: to make one costs each as much as many a test. */
const PREPARED = 'TEST_CLUSTER';

function startCluster(): Promise<EmbeddedDatabase> {
  cluster ??= (async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'agent-poker-test-'));
    const prepared = process.env[PREPARED];
    if (prepared !== undefined) cpSync(prepared, join(dataDir, CLUSTER), { recursive: true });
    const started = await openEmbedded({ dataDir, log: silent, temporary: true });
    if (prepared === undefined) await makeTemplate(started);
    return started;
  })();
  return cluster;
}

async function makeTemplate(server: EmbeddedDatabase): Promise<void> {
  await withAdmin(server, (sql) => sql.unsafe(`create database ${TEMPLATE}`));
  const sql = connect(databaseOf(server, TEMPLATE), { max: 1, name: 'test' });
  await migrate(sql);
  await sql.end();
}

/** Makes the cluster that test processes which are started from now on copy. The folder stays. */
export async function prepareCluster(dataDir: string): Promise<void> {
  const server = await openEmbedded({ dataDir, log: silent });
  await makeTemplate(server);
  await server.stop();
  process.env[PREPARED] = join(server.folder, CLUSTER);
}

function databaseOf({ address }: EmbeddedDatabase, name: string): DatabaseAddress {
  return { url: address.url.replace(/[^/]+$/, name) };
}

async function withAdmin(server: EmbeddedDatabase, work: (sql: Database) => PromiseLike<unknown>): Promise<void> {
  const sql = connect(server.address, { max: 1, name: 'test' });
  await work(sql);
  await sql.end();
}

/** A fresh database with the schema (or, with `empty`, without it), dropped when the test is over. */
export async function freshDatabase(t: Scope, empty = false): Promise<DatabaseAddress> {
  const server = await startCluster();
  const name = `test_${randomUUID().slice(0, 8)}`;
  const template = empty ? 'template0' : TEMPLATE;
  await withAdmin(server, (sql) => sql.unsafe(`create database ${name} template ${template}`));
  t.teardown(() => withAdmin(server, (sql) => sql.unsafe(`drop database ${name} with (force)`)));
  return databaseOf(server, name);
}

/** An open pool on a database, which closes when the test is over. */
export function openPool(t: Scope, address: DatabaseAddress, max = 4): Database {
  const sql = connect(address, { max, name: 'test' });
  t.teardown(() => sql.end({ timeout: 1 }));
  return sql;
}

/** openPool on a freshDatabase. */
export async function freshPool(t: Scope, max = 4): Promise<Database> {
  return openPool(t, await freshDatabase(t), max);
}

/** Stops the process's server. Call it in the last teardown of a test file; without it the end of the process does. */
export async function stopCluster(): Promise<void> {
  const running = await cluster;
  cluster = null;
  await running?.stop();
}
