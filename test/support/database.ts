import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Database, type DatabaseAddress } from '../../src/store/database.js';
import { openEmbedded, type EmbeddedDatabase } from '../../src/store/embedded.js';
import { migrate } from '../../src/store/migrate.js';
import { Leadership } from '../../src/store/node/leadership.js';

/** The part of a tap test that the helpers need: its teardown. */
export interface Scope {
  teardown(handler: () => Promise<void>): void;
}

export const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The right to write on a database that no node has led yet. */
export const leadership = new Leadership(
  () => 0,
  () => undefined,
);

type Server = Pick<EmbeddedDatabase, 'address' | 'stop'>;

/**
 * The runner's server, on which each test has databases of its own. A file that runs alone has a server of its process,
 * in a temporary folder that goes with the process.
 */
let cluster: Promise<Server> | null = null;
const TEMPLATE = 'migrated';
/** The variable with the runner's server. A start of a server costs as much as many tests. */
const SHARED = 'TEST_DATABASE_SERVER';
/** Enough for all files that run at a time. */
const CONNECTIONS = 400;

function findCluster(): Promise<Server> {
  const url = process.env[SHARED];
  cluster ??= url === undefined ? startCluster() : Promise.resolve({ address: { url }, stop: async () => undefined });
  return cluster;
}

async function startCluster(): Promise<Server> {
  const dataDir = mkdtempSync(join(tmpdir(), 'agent-poker-test-'));
  const server = await openEmbedded({ dataDir, log: silent, temporary: true, connections: CONNECTIONS });
  await makeTemplate(server);
  return server;
}

async function makeTemplate(server: Server): Promise<void> {
  await withAdmin(server, (sql) => sql.unsafe(`create database ${TEMPLATE}`));
  const sql = connect(databaseOf(server, TEMPLATE), { max: 1, name: 'test' });
  await migrate(sql);
  await sql.end();
}

/** Starts the server for all test processes that start from now on, until it is stopped. */
export async function shareCluster(): Promise<void> {
  const { address } = await findCluster();
  process.env[SHARED] = address.url;
}

function databaseOf({ address }: Server, name: string): DatabaseAddress {
  return { url: address.url.replace(/[^/]+$/, name) };
}

async function withAdmin(server: Server, work: (sql: Database) => PromiseLike<unknown>): Promise<void> {
  const sql = connect(server.address, { max: 1, name: 'test' });
  await work(sql);
  await sql.end();
}

/** A fresh database with the schema (or, with `empty`, without it), dropped when the test is over. */
export async function freshDatabase(t: Scope, empty = false): Promise<DatabaseAddress> {
  const server = await findCluster();
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

/**
 * Stops the process's own server. Call it in the last teardown of a test file. Otherwise the end of the process stops
 * it.
 */
export async function stopCluster(): Promise<void> {
  const running = await cluster;
  cluster = null;
  await running?.stop();
}
