import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { hasCode } from './binaries.js';

/** A server has so long for a clean shutdown, then so long for an immediate one; then it is killed. In ms. */
const STOP_MS = 5000;
const QUIT_MS = 1500;

interface Warned {
  warn(message: string): void;
}

/** Tells a postmaster to stop, ever more firmly until the timer is cleared: a frozen one hears nothing but SIGKILL. */
export function insistOnEnd(
  pid: number,
  first: 'SIGINT' | 'SIGQUIT',
  log: Warned,
): { timer: NodeJS.Timeout | undefined } {
  const insistence: { timer: NodeJS.Timeout | undefined } = { timer: undefined };
  const kill = () => {
    log.warn(`PostgreSQL (process ${pid}) does not stop: it is killed`);
    killTree(pid);
  };
  const quit = () => {
    signal(pid, 'SIGQUIT');
    insistence.timer = setTimeout(kill, QUIT_MS);
  };
  signal(pid, first);
  insistence.timer = setTimeout(first === 'SIGQUIT' ? kill : quit, first === 'SIGQUIT' ? QUIT_MS : STOP_MS);
  return insistence;
}

/** Kills a postmaster and its sessions, which do not notice its end while they are frozen. */
export function killTree(pid: number): void {
  for (const each of [...childrenOf(pid), pid]) signal(each, 'SIGKILL');
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (hasCode(error, 'ESRCH')) return false;
    if (hasCode(error, 'EPERM')) return true;
    throw error;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}

function childrenOf(pid: number): number[] {
  if (!existsSync('/proc/self/stat')) {
    const { stdout } = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
    return (stdout ?? '').split('\n').filter(Boolean).map(Number);
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);
}

/** The second figure behind the name, which may hold anything. */
function parentOf(pid: string): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 1).split(' ')[2]);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH')) return null;
    throw error;
  }
}
