import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import postgres from 'postgres';
import { isConnectionError, transaction, type Database, type Transaction } from '../../store/database.js';
import { knownMigrations, migrate } from '../../store/migrate.js';
import { fileTrouble } from '../../ops/file-trouble.js';
import { CommandError } from '../command.js';
import type { DumpedTable } from './catalog.js';
import { decode, rowsIn, type BackupFrame, type Head } from './frames.js';
import type { Copied, BackupProgress } from './write.js';

/**
 * Fills an empty database from a backup: with the schema that the backup is of, then brought up to date. All rows come
 * in one transaction, so that a file which is broken leaves the database empty. Throws CommandError for a file that is
 * no whole backup, or of a later release, and for a database in which somebody is registered.
 */
export async function restore(sql: Database, file: string, progress: BackupProgress): Promise<Copied> {
  const plain = createGunzip();
  // A pipe does not carry errors over.
  const stored = createReadStream(file).on('error', (error) => plain.destroy(error));
  const frames = decode(stored.pipe(plain));
  try {
    const first = await frames.next();
    if (first.done === true || first.value.kind !== 'head') throw new CommandError(`${file} is no backup`);
    const { head } = first.value;
    refuseLater(head);
    await refuseFull(sql);
    await migrate(sql, { only: head.migrations });
    const copied = await transaction(sql, (tx) => fill(tx, head, frames, progress));
    await migrate(sql);
    return copied;
  } catch (error) {
    if (isUnreadable(error)) throw new CommandError(`${file} is no whole backup: ${fileTrouble(error)}`);
    throw error;
  }
}

function refuseLater({ format, migrations }: Head): void {
  const known = new Set(knownMigrations());
  const unknown = migrations.filter((name) => !known.has(name));
  if (format !== 1 || unknown.length > 0) {
    throw new CommandError(`the backup is of a later release (${unknown.join(', ') || `format ${String(format)}`})`);
  }
}

async function refuseFull(sql: Database): Promise<void> {
  const [there] = await sql<{ agents: string | null }[]>`select to_regclass('agents')::text as agents`;
  if (there === undefined || there.agents === null) return;
  const [row] = await sql<{ full: boolean }[]>`
    select exists (select from agents where not is_house) or exists (select from hands) as full`;
  if (row?.full === true)
    throw new CommandError('the database is not empty: restore into a new one, or a new DATA_DIR');
}

async function fill(
  tx: Transaction,
  head: Head,
  frames: AsyncGenerator<BackupFrame>,
  progress: BackupProgress,
): Promise<Copied> {
  const tables = new Map(head.tables.map((table) => [table.name, table]));
  for (const { name, parent, bound } of head.partitions) {
    await tx`create table if not exists ${tx(name)} partition of ${tx(parent)} ${tx.unsafe(bound)}`;
  }
  // The backup has the rows that migrations write into a new schema, too.
  await tx`truncate ${tx(head.tables.map(({ name }) => name))} cascade`;
  const copied: Copied = { tables: 0, rows: 0 };
  const rows: Record<string, number> = {};
  let frame = await frames.next();
  while (frame.done !== true && frame.value.kind === 'table') {
    const table = tables.get(frame.value.name);
    if (table === undefined) throw new CommandError(`the backup has rows of ${frame.value.name}, but not that table`);
    const before = copied.rows;
    frame = await load(tx, table, frames, (count) => {
      copied.rows += count;
      progress(table.name, copied);
    });
    rows[table.name] = copied.rows - before;
    copied.tables++;
  }
  if (frame.done === true || frame.value.kind !== 'end') throw new CommandError('the backup is cut off');
  const { end } = frame.value;
  const wrong = head.tables.find(({ name }) => rows[name] !== end.rows[name]);
  if (wrong !== undefined) throw new CommandError(`the backup lacks rows of ${wrong.name}`);
  for (const { name, value } of head.sequences) await tx`select setval(${name}::regclass, ${value})`;
  return copied;
}

/** Copies the rows that come next into their table; resolves to the frame after them. */
async function load(
  tx: Transaction,
  { name, columns }: DumpedTable,
  frames: AsyncGenerator<BackupFrame>,
  counted: (rows: number) => void,
): Promise<IteratorResult<BackupFrame>> {
  let next = await frames.next();
  async function* rows(): AsyncGenerator<Buffer> {
    for (; next.done !== true && next.value.kind === 'rows'; next = await frames.next()) {
      counted(rowsIn(next.value.bytes));
      yield next.value.bytes;
    }
  }
  try {
    await copyIn(tx`copy ${tx(name)} (${tx(columns)}) from stdin`, rows());
  } catch (error) {
    if (!(error instanceof postgres.PostgresError) || isConnectionError(error)) throw error;
    throw new CommandError(`the database refuses rows of ${name}: ${error.message}`);
  }
  return next;
}

/**
 * Sends the rows of a COPY. Rejects if the server refuses the rows, also after the last one. postgres.js resolves the
 * statement when the server is ready for rows. It passes a later error only to the statement's `reject`.
 */
async function copyIn(statement: ReturnType<Transaction>, rows: AsyncIterable<Buffer>): Promise<void> {
  const sink = await statement.writable();
  const refused = new Promise<never>((_, reject) => Object.assign(statement, { reject }));
  await Promise.race([pipeline(Readable.from(rows), sink), refused]);
}

/** The file is not there, is no gzip, or ends too early. */
function isUnreadable(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('Z_') || (['ENOENT', 'EACCES', 'EISDIR'].includes(code) && !isDatabase(error));
}

/** A missing socket is the database's ENOENT: it has no path of ours. */
const isDatabase = (error: unknown) =>
  isConnectionError(error) &&
  !(error instanceof Error && 'path' in error && 'syscall' in error && error.syscall === 'open');
