import { readFileSync } from 'node:fs';
import type { Config } from './settings.js';

/** Below this a start warns: a server with a few thousand players needs more. */
const FEW_FILES = 4096;
/** The share of the open files that connections may have at most. */
const SHARE = 0.9;
/** Files of a process whatever its settings are: modules, pipes, its database, a mail server, answers from files. */
const ALWAYS = 60;
const PER_THREAD = 12;

type Sizes = Pick<Config, 'THREADS' | 'HOSTED_THREADS' | 'DATABASE_CONNECTIONS'> &
  Partial<Pick<Config, 'MAX_CONNECTIONS'>>;

/** The most files that this process may have open (RLIMIT_NOFILE); null where the system does not tell. */
export function openFileLimit(file = '/proc/self/limits'): number | null {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync(file, 'latin1')) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}

/** Files that the process opens for itself. */
function ownFiles({ THREADS, HOSTED_THREADS, DATABASE_CONNECTIONS }: Sizes): number {
  const threads = THREADS + 1 + HOSTED_THREADS;
  return ALWAYS + 2 * DATABASE_CONNECTIONS + PER_THREAD * threads;
}

/** Connections that may be open in all, so that the process never runs out of files. */
export function connectionBound(sizes: Sizes, limit = openFileLimit()): number {
  const wanted = sizes.MAX_CONNECTIONS ?? Infinity;
  if (limit === null) return wanted;
  return Math.max(1, Math.min(wanted, Math.ceil(SHARE * limit) - 1, limit - ownFiles(sizes)));
}

/** A line for the log of the start, or null where there are files enough. */
export function openFilesAdvice(sizes: Sizes, limit = openFileLimit()): string | null {
  if (limit === null) return null;
  const bound = connectionBound(sizes, limit);
  const wanted = sizes.MAX_CONNECTIONS ?? 0;
  if (limit >= FEW_FILES && bound >= wanted) return null;
  const needed = Math.max(FEW_FILES, Math.ceil((wanted + ownFiles(sizes) + 1) / SHARE));
  return `only ${limit} files may be open (ulimit -n), which leaves room for ${bound} connections: these settings need ${needed}`;
}
