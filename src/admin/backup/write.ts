import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { codeOf, transaction, type Database, type Transaction } from '../../store/database.js';
import { fileTrouble } from '../../ops/file-trouble.js';
import { CommandError } from '../command.js';
import { selectMigrations, selectPartitions, selectSequences, selectTables } from './catalog.js';
import { encode, rowsIn, type Frame } from './frames.js';

export interface Copied {
  tables: number;
  rows: number;
}

/** Called now and then with the rows done so far. */
export type BackupProgress = (table: string, copied: Copied) => void;

/**
 * Writes all rows of the database to a new file: as they are at one moment, while the server works on. The file has its
 * name once it is whole, and only its owner may read it.
 */
export async function backup(sql: Database, file: string, progress: BackupProgress): Promise<Copied> {
  const partial = `${file}.partial`;
  const copied: Copied = { tables: 0, rows: 0 };
  try {
    await transaction(
      sql,
      async (tx) => {
        const target = createWriteStream(partial, { flags: 'wx', mode: 0o600 });
        await pipeline(Readable.from(pieces(tx, copied, progress)), createGzip({ level: 3 }), target);
      },
      'isolation level repeatable read read only',
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      throw new CommandError(`${partial} exists: another backup is written there, or was broken off; remove it then`);
    }
    await rm(partial, { force: true });
    throw ofFile(error) ? new CommandError(`${file} cannot be written: ${fileTrouble(error)}`) : error;
  }
  await rename(partial, file);
  return copied;
}

/** Of the file and its disk, not of the database. */
function ofFile(error: unknown): error is Error {
  return error instanceof Error && ('path' in error || ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(error)));
}

async function* pieces(tx: Transaction, copied: Copied, progress: BackupProgress): AsyncGenerator<Buffer> {
  for await (const frame of frames(tx, copied, progress)) yield* encode(frame);
}

async function* frames(tx: Transaction, copied: Copied, progress: BackupProgress): AsyncGenerator<Frame> {
  const tables = await selectTables(tx);
  // Nobody drops one of them before we have read it.
  for (const { name } of tables) await tx`lock table ${tx(name)} in access share mode`;
  const [migrations, partitions] = [await selectMigrations(tx), await selectPartitions(tx)];
  // Sequences are of no snapshot: read later than the rows' moment, they are never behind them.
  const sequences = await selectSequences(tx);
  const head = { format: 1, taken_at: new Date().toISOString(), migrations, tables, partitions, sequences } as const;
  yield { kind: 'head', head };
  const rows: Record<string, number> = {};
  for (const { name, columns } of tables) {
    yield { kind: 'table', name };
    rows[name] = 0;
    const stream = await tx`copy ${tx(name)} (${tx(columns)}) to stdout`.readable();
    for await (const bytes of stream as AsyncIterable<Buffer>) {
      const count = rowsIn(bytes);
      rows[name] += count;
      copied.rows += count;
      progress(name, copied);
      yield { kind: 'rows', bytes };
    }
    copied.tables++;
  }
  yield { kind: 'end', end: { rows } };
}
