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
