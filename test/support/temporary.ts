import { chmodSync } from 'node:fs';
import { temporaryFolder } from '../../src/command/folders.js';

/** From here on all temporary files of this process and its children lie in one folder, which goes with the process. */
export function ownTemporaryFolder(name: string): string {
  const folder = temporaryFolder(name);
  // As the system's own: databases run by another account lie in it.
  chmodSync(folder, 0o755);
  process.env['TMPDIR'] = folder;
  return folder;
}
