import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { openCursor, portions } from '../../store/cursor.js';
import { codeOf, transaction, type Database, type Transaction } from '../../store/database.js';
import { fileTrouble } from '../../ops/file-trouble.js';
import { CommandError } from '../command.js';
import { selectMigrations, selectPartitions, selectSequences, selectTables } from './catalog.js';
import { encode, type BackupFrame } from './frames.js';

/** Rows as PostgreSQL's COPY reads them: a line for each, tabs between the columns, \N for null. */

const SPECIAL = /[\\\n\r\t]/;
const EACH_SPECIAL = /[\\\n\r\t]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Values as the server writes them. latin1 keeps each byte as it is; no byte of another character looks like ASCII. */
function copyText(rows: readonly (readonly (Buffer | null)[])[]): Buffer {
  let text = '';
  for (const row of rows) text += `${row.map(valueText).join('\t')}\n`;
  return Buffer.from(text, 'latin1');
}

function valueText(value: Buffer | null): string {
  if (value === null) return '\\N';
  const text = value.toString('latin1');
  return SPECIAL.test(text) ? text.replace(EACH_SPECIAL, (special) => ESCAPES[special]!) : text;
}

export interface Copied {
  tables: number;
  rows: number;
}

/** Called now and then with the rows done so far. */
export type BackupProgress = (table: string, copied: Copied) => void;

/** The rows of a portion. A few portions are in memory at a time. */
const AT_ONCE = 500;

/**
 * Writes all rows of the database to a new file, as of one time, while the server works on. The file has its name once
 * it is whole and on the disk, and only its owner may read it. Until then it is FILE.<random>.partial. The next backup
 * to FILE removes the rest of a broken one.
 */
export async function backup(sql: Database, file: string, progress: BackupProgress): Promise<Copied> {
  const partial = `${file}.${randomBytes(4).toString('hex')}.partial`;
  const copied: Copied = { tables: 0, rows: 0 };
  try {
    await removePartials(file);
    await transaction(
      sql,
      async (tx) => {
        const target = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
        await pipeline(Readable.from(pieces(tx, copied, progress)), createGzip({ level: 3 }), target);
      },
      'isolation level repeatable read read only',
    );
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw ofFile(error) ? new CommandError(`${file} cannot be written: ${fileTrouble(error)}`) : error;
  }
  return copied;
}

/** A running backup to the same file loses its file by this, and fails when it renames it. */
async function removePartials(file: string): Promise<void> {
  const [folder, name] = [dirname(file), basename(file)];
  for (const each of await readdir(folder)) {
    const ours = each.startsWith(`${name}.`) && /^([0-9a-f]{8}\.)?partial$/.test(each.slice(name.length + 1));
    if (ours) await rm(join(folder, each), { force: true });
  }
}

/** Whether the error is about the file and its disk, not about the database. */
function ofFile(error: unknown): error is Error {
  return error instanceof Error && ('path' in error || ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(error)));
}

async function* pieces(tx: Transaction, copied: Copied, progress: BackupProgress): AsyncGenerator<Buffer> {
  for await (const frame of frames(tx, copied, progress)) yield* encode(frame);
}

async function* frames(tx: Transaction, copied: Copied, progress: BackupProgress): AsyncGenerator<BackupFrame> {
  const tables = await selectTables(tx);
  // The lock keeps each table until it is read.
  for (const { name } of tables) await tx`lock table ${tx(name)} in access share mode`;
  const [migrations, partitions] = [await selectMigrations(tx), await selectPartitions(tx)];
  // Sequences belong to no snapshot. They are read after the rows' snapshot, so they are never behind the rows.
  const sequences = await selectSequences(tx);
  const head = { format: 1, taken_at: new Date().toISOString(), migrations, tables, partitions, sequences } as const;
  yield { kind: 'head', head };
  const rows: Record<string, number> = {};
  for (const { name, columns } of tables) {
    yield { kind: 'table', name };
    rows[name] = 0;
    // Cursors have a namespace of their own, so a cursor can have its table's name.
    const fetch = await openCursor(tx, name, tx`select ${tx(columns)} from ${tx(name)}`);
    for await (const read of portions(() => fetch(AT_ONCE).raw())) {
      rows[name] += read.length;
      copied.rows += read.length;
      progress(name, copied);
      yield { kind: 'rows', bytes: copyText(read) };
    }
    copied.tables++;
  }
  yield { kind: 'end', end: { rows } };
}
