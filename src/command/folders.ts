import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolderWhenWeAreGone } from '../store/embedded.js';

/**
 * A folder for this process alone, such as a data folder. It is gone a moment after the process, however that ends:
 * by itself, by Ctrl-C, by SIGKILL.
 */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `agent-poker-${name}-`));
  removeFolderWhenWeAreGone(folder);
  return folder;
}
