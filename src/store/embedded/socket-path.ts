import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A Unix socket's path has at most 107 bytes, 103 on some systems. */
const SOCKET_PATH_BYTES = 103;

/** Whether a socket may stand in the folder under a name of so many characters. */
export const fitsSocket = (folder: string, name: number): boolean =>
  Buffer.byteLength(folder) + 1 + name <= SOCKET_PATH_BYTES;

/** A new folder for sockets with names so long, below what is given: in the temporary folder, unless that one is too long itself. */
export function shortFolder(name: number): string {
  const prefix = 'agent-poker-';
  const base = fitsSocket(join(tmpdir(), `${prefix}123456`), name) ? tmpdir() : '/tmp';
  return mkdtempSync(join(base, prefix));
}
