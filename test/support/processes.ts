import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The numbers of processes that know the folder, by an argument or their environment; [] where there is no /proc. */
export function processesOf(folder: string): string[] {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const known = readFileSync(`/proc/${pid}/cmdline`, 'utf8') + readFileSync(`/proc/${pid}/environ`, 'utf8');
      return known.includes(folder);
    } catch {
      // It ended while we looked.
      return false;
    }
  });
}

/** Ends them at once. */
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
