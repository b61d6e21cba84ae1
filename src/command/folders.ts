import { randomBytes } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { removeFolderWhenWeAreGone } from '../store/embedded.js';

/** The folder that the command was given in. Under npm the folder of this process is another. */
export const callersFolder = (): string => process.env['INIT_CWD'] ?? process.cwd();

/** A path that its user gave, from the folder that the command was given in. */
export const givenPath = (path: string): string => resolve(callersFolder(), path);

/**
 * A folder for this process alone, such as a data folder. It is gone a moment after the process, however that ends:
 * by itself, by Ctrl-C, by SIGKILL.
 */
export function temporaryFolder(name: string): string {
  const folder = join(realpathSync(tmpdir()), `agent-poker-${name}-${randomBytes(6).toString('hex')}`);
  removeFolderWhenWeAreGone(folder);
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}
