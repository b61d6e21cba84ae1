import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { DatabaseAddress } from './database.js';
import { findAccounts } from './embedded/account.js';
import { findPrograms, hasCode } from './embedded/binaries.js';
import { makePrivate, prepareCluster, ROLE, childEnv } from './embedded/cluster.js';
import { lockFolder, lockHolder } from './embedded/lock.js';
import { CLUSTER, findLocation, sharedRoot } from './embedded/location.js';
import { inDataDir } from './refusal.js';
import { PostgresServer, type DatabaseLog } from './embedded/server.js';
import { fitsSocket, shortFolder } from './embedded/socket-path.js';
import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';

/** Waits for the end of its input, which is our end, also by SIGKILL; then ends the servers of $@ and removes $@. */
const script = `
names() {
  if [ -e /proc/self/cmdline ]; then grep -aqF -- "$2" "/proc/$1/cmdline" 2>/dev/null
  else ps -o command= -p "$1" | grep -qF -- "$2"; fi
}
read -r _
for folder in "$@"; do
  cluster="$folder/${CLUSTER}"
  tries=100
  while pid=$(head -n 1 "$cluster/postmaster.pid" 2>/dev/null) && names "$pid" "$cluster" && [ $tries -gt 0 ]; do
    if [ $tries -gt 50 ]; then kill -QUIT "$pid"; else kill -KILL "$pid"; fi 2>/dev/null
    sleep 0.1
    tries=$((tries - 1))
  done
done
rm -rf -- "$@"`;

/**
 * Starts a process that outlives us just long enough to stop the servers of temporary clusters and to remove their
 * folders. Those need not be there yet: whoever makes a folder before leaves it behind when a signal comes in between.
 */
export function removeWhenWeAreGone(folders: readonly string[]): ChildProcess {
  const child = spawn('/bin/sh', ['-c', script, 'remover', ...folders], {
    cwd: '/',
    env: childEnv,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  return child;
}

export { FolderInUse } from './embedded/lock.js';

export interface EmbeddedDatabase {
  address: DatabaseAddress;
  /** Folder of the database's files: under DATA_DIR, unless PostgreSQL's account cannot reach that. */
  folder: string;
  /** Shuts PostgreSQL down cleanly and frees the folder. */
  stop(): Promise<void>;
  /** Ends PostgreSQL at once. */
  kill(): void;
}

export interface EmbeddedOptions {
  dataDir: string;
  log: DatabaseLog;
  /** For tests and the arena: nothing is synced to disk, and the folder is removed at the end, however we end. */
  temporary?: boolean;
  /** For a server of many databases: sessions at a time. */
  connections?: number;
}

const ADDRESS_FILE = 'connection.json';
/** For root: the server's account often cannot read root's checkout. */
const PROGRAM_CACHE = '/var/cache/agent-poker';
const LOG_LIMIT = 1 << 20;

/**
 * Starts the embedded PostgreSQL on the data folder, making it on the first start. It listens on a Unix socket only, in
 * a folder that only we may enter. Throws FolderInUse when another server lives there, ConfigError where it cannot be
 * made or used.
 */
export async function openEmbedded({
  dataDir,
  log,
  temporary = false,
  connections,
}: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const accounts = findAccounts();
  const place = await inDataDir(dataDir, async () => findLocation(dataDir, accounts));
  if (place.root !== place.dataDir) {
    log.warn(`${accounts.server.name} cannot reach ${place.dataDir}: the database lives in ${place.root}`);
  }
  const lock = await inDataDir(dataDir, () => lockFolder(place.dataDir));
  const sockets = socketFolder(place.root);
  const cluster = join(place.root, CLUSTER);
  const folders = temporary ? [place.dataDir, place.root, sockets] : [sockets];
  // A database that stays has nothing to be removed but sockets that lie elsewhere: PostgreSQL's next start finds others.
  const remover = temporary || dirname(sockets) !== place.root ? removeWhenWeAreGone(folders) : null;
  const tidy = async () => {
    remover?.kill('SIGKILL');
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    await lock.release();
  };
  try {
    const programs = findPrograms(accounts.server, [PROGRAM_CACHE, place.root]);
    await prepareCluster(cluster, programs, accounts, temporary);
    makePrivate(sockets, accounts.server);
    const logFile = join(place.root, 'postgres.log');
    limitLog(logFile);
    const files = { cluster, socketFolder: sockets, logFile };
    const server = await PostgresServer.start({
      programs,
      account: accounts.server,
      ...files,
      temporary,
      connections,
      log,
    });
    const address = { url: `postgres://${ROLE}@${encodeURIComponent(sockets)}/postgres`, embedded: true };
    const addressFile = join(place.dataDir, ADDRESS_FILE);
    writeFileSync(addressFile, JSON.stringify(address), { mode: 0o600 });
    const stop = async () => {
      await server.stop();
      rmSync(addressFile, { force: true });
      await tidy();
    };
    return { address, folder: place.root, stop, kill: () => server.kill() };
  } catch (error) {
    await tidy();
    throw error;
  }
}

/** The address of the database that a live server runs on the data folder, or null when none does. */
export async function findRunning(dataDir: string): Promise<DatabaseAddress | null> {
  const folder = resolve(dataDir);
  if ((await inDataDir(dataDir, () => lockHolder(folder))) === null) return null;
  try {
    const { url } = JSON.parse(readFileSync(join(folder, ADDRESS_FILE), 'utf8')) as DatabaseAddress;
    return { url, embedded: true };
  } catch (error) {
    // It has the lock but is not up yet, or no longer.
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/**
 * Removes a data folder, which may not exist yet, a moment after the end of this process, however it ends. The server
 * that runs there ends as well.
 */
export function removeFolderWhenWeAreGone(dataDir: string): void {
  removeWhenWeAreGone([dataDir, sharedRoot(dataDir)]);
}

/** PostgreSQL's, at its only port. */
const SOCKET_NAME = '.s.PGSQL.5432';

/** A database in a deep folder gets its socket elsewhere. */
function socketFolder(root: string): string {
  const folder = join(root, 'socket');
  return fitsSocket(folder, SOCKET_NAME.length) ? folder : shortFolder(SOCKET_NAME.length);
}

function limitLog(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT) truncateSync(file, 0);
}
