import { CommandError } from '../command.js';
import type { Partition, DumpedTable } from './catalog.js';

/**
 * The file of a backup, gzipped: frames of one letter, the length (uint32, big-endian) and the bytes. H (JSON Head)
 * comes first. Each table has T (its name) and its rows as D frames, text of COPY. E (JSON End) comes last.
 */

export interface Head {
  format: 1;
  taken_at: string;
  /** The files of sql/ that the schema was made by. */
  migrations: string[];
  tables: DumpedTable[];
  partitions: Partition[];
  sequences: { name: string; value: number }[];
}

export interface End {
  /** By table. */
  rows: Record<string, number>;
}

export type BackupFrame =
  | { kind: 'head'; head: Head }
  | { kind: 'table'; name: string }
  | { kind: 'rows'; bytes: Buffer }
  | { kind: 'end'; end: End };

const LETTERS = { head: 'H', table: 'T', rows: 'D', end: 'E' } as const;
const PREFIX = 5;
/** No frame of ours is longer: a piece of COPY has at most some 100 kB, a head some MB. */
const LONGEST = 1 << 28;

export function encode(frame: BackupFrame): Buffer[] {
  const bytes = bytesOf(frame);
  const prefix = Buffer.alloc(PREFIX);
  prefix.write(LETTERS[frame.kind], 0, 'latin1');
  prefix.writeUInt32BE(bytes.length, 1);
  return [prefix, bytes];
}

function bytesOf(frame: BackupFrame): Buffer {
  switch (frame.kind) {
    case 'head':
      return Buffer.from(JSON.stringify(frame.head));
    case 'table':
      return Buffer.from(frame.name);
    case 'rows':
      return frame.bytes;
    case 'end':
      return Buffer.from(JSON.stringify(frame.end));
  }
}

/** The frames of a stream; CommandError where it is no backup. */
export async function* decode(stream: AsyncIterable<Buffer>): AsyncGenerator<BackupFrame> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= PREFIX) {
      const length = rest.readUInt32BE(1);
      const letter = rest.toString('latin1', 0, 1);
      if (length > LONGEST || !Object.values<string>(LETTERS).includes(letter))
        throw new CommandError('this is no backup');
      if (rest.length < PREFIX + length) break;
      yield frameOf(letter, rest.subarray(PREFIX, PREFIX + length));
      rest = rest.subarray(PREFIX + length);
    }
  }
}

function frameOf(letter: string, bytes: Buffer): BackupFrame {
  switch (letter) {
    case LETTERS.head:
      return { kind: 'head', head: JSON.parse(bytes.toString()) as Head };
    case LETTERS.table:
      return { kind: 'table', name: bytes.toString() };
    case LETTERS.rows:
      return { kind: 'rows', bytes };
    default:
      return { kind: 'end', end: JSON.parse(bytes.toString()) as End };
  }
}

const NEWLINE = 0x0a;

/** Rows in a piece of COPY's text, which has a newline at the end of each and nowhere else. */
export function rowsIn(bytes: Buffer): number {
  let rows = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) rows++;
  return rows;
}
