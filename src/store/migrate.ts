import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transaction, type Database, type Queryable } from './database.js';

/** sql/ of the checkout; this module runs from dist/src/store. */
const SQL_FOLDER = fileURLToPath(new URL('../../../sql/', import.meta.url));

/** Any number: those who migrate one database wait for each other on it. */
const MIGRATION_LOCK = 7_081_001;

interface Migration {
  name: string;
  text: string;
  checksum: string;
}

/**
 * Brings the schema up to date: runs the files of sql/ that were not run yet, by name, all in one transaction. Resolves
 * to the names of the files that it ran. Throws when a file that was run has changed since. A newer release may have
 * run files that this one does not know. This one serves that schema too, until a migration names a newer release in
 * `schema_requires`. Then it throws. With `only` those are run, for a database as an earlier release left it.
 */
export async function migrate(
  sql: Database,
  { folder = SQL_FOLDER, only }: { folder?: string; only?: readonly string[] } = {},
): Promise<string[]> {
  const files = readMigrations(folder).filter(({ name }) => only?.includes(name) ?? true);
  return transaction(sql, async (tx) => {
    await tx`select pg_advisory_xact_lock(${MIGRATION_LOCK})`;
    await tx`create table if not exists migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`;
    const applied = await tx<Pick<Migration, 'name' | 'checksum'>[]>`select name, checksum from migrations`;
    for (const { name, checksum } of applied) verify(name, checksum, files);
    if (applied.some(({ name }) => !files.some((file) => file.name === name))) await refuseTooNew(tx, files);
    const missing = files.filter((file) => !applied.some(({ name }) => name === file.name));
    for (const { name, text, checksum } of missing) {
      await tx.unsafe(text);
      await tx`insert into migrations (name, checksum) values (${name}, ${checksum})`;
    }
    return missing.map(({ name }) => name);
  });
}

/** Names of the files of sql/ that this database has not run yet. */
export async function missingMigrations(sql: Database, folder = SQL_FOLDER): Promise<string[]> {
  const [table] = await sql<{ there: boolean }[]>`select to_regclass('migrations') is not null as there`;
  const applied = table?.there === true ? await sql<{ name: string }[]>`select name from migrations` : [];
  const known = new Set(applied.map(({ name }) => name));
  return namesIn(folder).filter((name) => !known.has(name));
}

/** Names of the files of sql/. */
export const knownMigrations = (): string[] => namesIn(SQL_FOLDER);

const namesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();

function readMigrations(folder: string): Migration[] {
  return namesIn(folder).map((name) => {
    const text = readFileSync(`${folder}/${name}`, 'utf8');
    return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
  });
}

function verify(name: string, checksum: string, files: readonly Migration[]): void {
  const file = files.find((candidate) => candidate.name === name);
  if (file !== undefined && file.checksum !== checksum)
    throw new Error(`Migration ${name} was changed after it was applied to the database`);
}

/** For a schema that has more migrations than this release: it says which of them a release has to know. */
async function refuseTooNew(tx: Queryable, files: readonly Migration[]): Promise<void> {
  const [table] = await tx<{ there: boolean }[]>`select to_regclass('schema_requires') is not null as there`;
  const [required] =
    table?.there === true ? await tx<{ migration: string }[]>`select migration from schema_requires` : [];
  if (required !== undefined && files.some(({ name }) => name === required.migration)) return;
  const needs = required === undefined ? 'migrations' : required.migration;
  throw new Error(`The database has ${needs} that this release does not know: it is older`);
}
