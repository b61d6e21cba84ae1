import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The numbers of processes with the folder in an argument or their environment; [] without /proc. */
export function processesOf(folder: string): string[] {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const known = readFileSync(`/proc/${pid}/cmdline`, 'utf8') + readFileSync(`/proc/${pid}/environ`, 'utf8');
      return known.includes(folder);
    } catch {
      // The process ended meanwhile.
      return false;
    }
  });
}

/** Kills these processes. */
export function endProcessesOf(folder: string): void {
  for (const pid of processesOf(folder)) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch (error) {
      // It ended while we looked.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** The ids of a process's own children with this text in their command line; [] without /proc. */
export function childrenOf(pid: number, text: string): number[] {
  const list = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(list)) return [];
  const children = readFileSync(list, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  return children.filter((child) => {
    try {
      return readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(text);
    } catch {
      // It ended while we looked.
      return false;
    }
  });
}

/** Whether the process runs. One that has ended and waits for its parent does not. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
