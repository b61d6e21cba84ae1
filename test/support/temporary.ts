import { chmodSync, readFileSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { temporaryFolder } from '../../src/command/folders.js';

/** From here on all temporary files of this process and its children lie in one folder, which goes with the process. */
export function ownTemporaryFolder(name: string): string {
  const folder = temporaryFolder(name);
  // With the rights of the system's own folder: another account's databases lie in it.
  chmodSync(folder, 0o755);
  process.env['TMPDIR'] = folder;
  return folder;
}

/** A file system in memory, on every Linux. */
const IN_MEMORY = '/dev/shm';
/** Ten times the temporary files of a suite at a time. */
const ROOM = 4 * 2 ** 30;

/**
 * From here on temporary files lie in memory, if there is plenty and TMPDIR is not set. Tests make and delete hundreds
 * of thousands of files, and a database has a thousand. Some file systems are slow to reuse deleted names (ext4 without
 * a journal: eight times as slow for a database).
 */
export function preferMemory(): void {
  if (process.env['TMPDIR'] === undefined && hasRoom()) process.env['TMPDIR'] = IN_MEMORY;
}

function hasRoom(): boolean {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '));
    const [, , type, options = ''] = mounts.findLast(([, place]) => place === IN_MEMORY) ?? [];
    if (type !== 'tmpfs' || options.split(',').includes('noexec')) return false;
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    // A container may have less memory than the machine.
    return bavail * bsize >= ROOM && Math.min(freemem(), process.constrainedMemory() || Infinity) >= 2 * ROOM;
  } catch {
    // It is missing, or not readable.
    return false;
  }
}
