import { createHash } from 'node:crypto';
import { accessSync, chmodSync, constants, chownSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { SystemAccount, ServerAccounts } from './account.js';

/** The folder of root's databases if the server's account cannot reach the data folder. */
const SHARED_ROOT = '/var/lib/agent-poker';
/** The folder of the server's files below `root`. */
export const CLUSTER = 'postgres';

/** Where things are: `dataDir` as the operator named it, `root` where the server's files lie (the same, if possible). */
export interface ServerLocation {
  dataDir: string;
  root: string;
}

/** True when the account may pass through (or enter) the folder, by its mode alone. */
export function passable(folder: string, account: SystemAccount): boolean {
  return permits(folder, account, 0o1);
}

/** True when the account may pass the folder and every folder above it. */
export function reachable(folder: string, account: SystemAccount): boolean {
  return passable(folder, account) && (dirname(folder) === folder || reachable(dirname(folder), account));
}

/** True when the account holds the right (4 read, 2 write, 1 execute or pass) by the mode of the file. */
export function permits(path: string, account: SystemAccount, right: number): boolean {
  const { mode, uid, gid } = statSync(path);
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
  return account.uid === 0 || ((mode >> shift) & right) === right;
}

/**
 * Makes the data folder and finds a place that the server's account can reach. That is the data folder itself, or,
 * under a closed folder such as root's 0700 home, a folder of its own in /var/lib/agent-poker. Throws EACCES when we
 * may not work in the data folder ourselves.
 */
export function findLocation(folder: string, { own, server }: ServerAccounts): ServerLocation {
  makeFolder(resolve(folder), 0o755);
  const dataDir = realpathSync(resolve(folder));
  accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  if (own.uid === server.uid) return { dataDir, root: dataDir };
  if (reachable(dirname(dataDir), server)) {
    if (!passable(dataDir, server) && isGiven(dataDir, own)) letPass(dataDir, server);
    if (passable(dataDir, server)) return { dataDir, root: dataDir };
  }
  const root = sharedRoot(dataDir);
  for (const path of [SHARED_ROOT, root]) {
    mkdirSync(path, { recursive: true });
    chmodSync(path, 0o711);
  }
  return { dataDir, root };
}

/** Where the server's files of this data folder are when its account cannot reach the folder itself. */
export function sharedRoot(dataDir: string): string {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  return join(SHARED_ROOT, `${basename(dataDir).replace(/^\.+/, '')}-${name}`);
}

/**
 * Makes a folder and those above it. Not by mkdir's own recursion, which never ends where a folder's parent is there
 * but takes none, as in /proc (seen with Node 20). Throws what mkdir throws.
 */
export function makeFolder(path: string, mode: number): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  if (dirname(path) !== path) makeFolder(dirname(path), 0o755);
  mkdirSync(path, { mode });
}

/** A folder that is there for us to use: ours, and no home, which stays as closed as it is. */
function isGiven(folder: string, own: SystemAccount): boolean {
  return statSync(folder).uid === own.uid && folder !== homedir();
}

/** Opens a closed folder (mkdtemp makes 0700 ones) for passing through, to the server's group alone. */
function letPass(folder: string, server: SystemAccount): void {
  const { uid, mode } = statSync(folder);
  chownSync(folder, uid, server.gid);
  chmodSync(folder, (mode & 0o7777) | 0o010);
}
