import { randomBytes } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolderWhenWeAreGone } from '../store/embedded.js';

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
