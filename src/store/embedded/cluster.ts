import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, lchownSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { SystemAccount, ServerAccounts } from './account.js';
import type { Programs } from './binaries.js';

/** Runs $@ until it ends, or until the end of its own input, which is our end, also by SIGKILL. */
const TIED = `
exec 3<&0
"$@" <&- 3<&- &
program=$!
{ read -r _ <&3; kill -TERM "$program"; } >&- 2>&- &
watcher=$!
wait "$program"
code=$?
kill "$watcher"
wait "$watcher"
exit $code`;

/** Runs a program that does not outlive us. Throws what it says on stderr where it fails. */
export async function runTied(program: string, args: readonly string[], { uid, gid }: SystemAccount): Promise<void> {
  const child = spawn('/bin/sh', ['-c', TIED, 'tied', program, ...args], {
    uid,
    gid,
    cwd: '/',
    env: childEnv,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const [words, [code]] = (await Promise.all([text(child.stderr), once(child, 'exit')])) as [string, [number | null]];
  child.stdin.end();
  if (code !== 0) throw new Error(`${program} failed (code ${code}): ${words.trim()}`);
}

/** The database role that we are. */
export const ROLE = 'agent_poker';
/** PostgreSQL of this release. */
const MAJOR = '18';

/** The environment of a child of ours. It has nothing of ours, so no PG… variable can mislead it. */
export const childEnv = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Makes the cluster in `folder` unless it is there, and sets who may connect. `temporary`: it need not
 * survive a crash. */
export async function prepareCluster(
  folder: string,
  programs: Programs,
  accounts: ServerAccounts,
  temporary: boolean,
): Promise<void> {
  if (!existsSync(folder)) await initialise(folder, programs, accounts.server, temporary);
  const version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  if (version !== MAJOR) {
    throw new Error(`${folder} holds data of PostgreSQL ${version}; this release runs ${MAJOR}: dump and restore it`);
  }
  const { uid } = statSync(folder);
  if (uid !== accounts.server.uid) {
    if (accounts.own.uid !== 0)
      throw new Error(`${folder} belongs to user id ${uid}, and we run as ${accounts.own.uid}`);
    chownTree(folder, accounts.server);
  }
  writeAccess(folder, accounts);
}

/** initdb under another name, then one rename: a cluster that exists is whole. */
async function initialise(
  folder: string,
  programs: Programs,
  server: SystemAccount,
  temporary: boolean,
): Promise<void> {
  const partial = `${folder}.new`;
  rmSync(partial, { recursive: true, force: true });
  makePrivate(partial, server);
  const flags = [`--pgdata=${partial}`, `--username=${ROLE}`, '--auth=peer', '--encoding=UTF8', '--locale=C'];
  const collation = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const care = ['--data-checksums', ...(temporary ? ['--no-sync'] : [])];
  await runTied(programs.initdb, [...flags, ...collation, ...care], server);
  renameSync(partial, folder);
}

/** A folder that only the server's account (and root) may enter. */
export function makePrivate(folder: string, { uid, gid }: SystemAccount): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  chownSync(folder, uid, gid);
}

/** Only over the Unix socket, and only we: the kernel tells the server who connects, so there is no password to leak. */
function writeAccess(folder: string, { own, server }: ServerAccounts): void {
  const names = new Set([own.name, server.name]);
  const files = {
    'pg_hba.conf': 'local all all peer map=host\n',
    'pg_ident.conf': [...names].map((name) => `host "${name}" ${ROLE}\n`).join(''),
  };
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    chownSync(path, server.uid, server.gid);
  }
}

function chownTree(path: string, account: SystemAccount): void {
  lchownSync(path, account.uid, account.gid);
  if (!statSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) chownTree(join(path, name), account);
}
