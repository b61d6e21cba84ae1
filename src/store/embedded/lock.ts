import { randomUUID } from 'node:crypto';
import { link, rename, rm, symlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { hasCode } from './binaries.js';
import { fitsSocket, shortFolder } from './socket-path.js';

/**
 * One process at a time uses a data folder. The lock is a Unix socket that its holder listens on. The kernel answers
 * for a live holder, also across containers that share the folder, and refuses for a dead one, whatever became of its
 * pid.
 */
export const LOCK_FILE = 'server.lock';

/** The folder is in use by another process. */
export class FolderInUse extends Error {
  override name = 'FolderInUse';

  constructor(folder: string, holder: string) {
    super(
      `${folder} is in use by another server (process ${holder}): stop it first, or set DATA_DIR to another folder`,
    );
  }
}

export interface FolderLock {
  release(): Promise<void>;
}

/** Takes the lock of a folder, from a dead holder too. Throws FolderInUse. */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const near = await nearPath(folder);
  const path = join(near.path, LOCK_FILE);
  const own = join(near.path, `${LOCK_FILE}.${randomUUID().slice(0, 8)}`);
  const server = await listen(own);
  try {
    while (!(await linked(own, path))) {
      const holder = await askHolder(path);
      if (holder !== null) throw new FolderInUse(folder, holder);
      await removeStale(path);
    }
  } catch (error) {
    server.close();
    throw error;
  } finally {
    await rm(own, { force: true });
    await near.forget();
  }
  return {
    release: async () => {
      await rm(join(folder, LOCK_FILE), { force: true });
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The process that holds the folder's lock, as text, or null when none lives. */
export async function lockHolder(folder: string): Promise<string | null> {
  const near = await nearPath(folder);
  try {
    return await askHolder(join(near.path, LOCK_FILE));
  } finally {
    await near.forget();
  }
}

/** The lock's own name while it is being taken: with a point and eight letters. */
const NAME = LOCK_FILE.length + 9;

/** A folder with a path too long for a socket gets a short alias for the moment. */
async function nearPath(folder: string): Promise<{ path: string; forget(): Promise<void> }> {
  if (fitsSocket(folder, NAME)) return { path: folder, forget: async () => undefined };
  const alias = shortFolder('d/'.length + NAME);
  await symlink(folder, join(alias, 'd'));
  return { path: join(alias, 'd'), forget: () => rm(alias, { recursive: true }) };
}

function listen(path: string): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => socket.destroy()).end(String(process.pid)));
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen({ path }, () => resolve(server.unref()));
  });
}

/** Gives the listening socket the name that all look for, unless the name is taken. */
async function linked(own: string, path: string): Promise<boolean> {
  try {
    await link(own, path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function askHolder(path: string): Promise<string | null> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(path);
    // A stopped process cannot answer, but it is alive.
    socket.setTimeout(1000, () => socket.destroy());
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('error', (error) => {
      if (hasCode(error, 'ECONNREFUSED', 'ENOENT')) resolve(null);
      else if (!hasCode(error, 'ECONNRESET', 'EPIPE')) reject(error);
    });
    socket.on('close', () => resolve(answer || 'unknown'));
  });
}

/** Removes a dead holder's socket. Should a live one have taken its place meanwhile, that one is put back. */
async function removeStale(path: string): Promise<void> {
  const aside = `${path}.${randomUUID().slice(0, 8)}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  if ((await askHolder(aside)) !== null) await linked(aside, path);
  await rm(aside, { force: true });
}
