import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** `test/`, `test/system/` and `test/long/`. */
export type Tier = 'unit' | 'system' | 'long';

/** The files that a run leaves for the next one: durations, seen protocol items, totals. */
export const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/agent-poker', import.meta.url));
mkdirSync(CACHE, { recursive: true });

/** The most time that files of one folder share a process, in ms. */
const ROOM_MS = 40_000;

export const isOfTier = (file: string, tier: Tier): boolean => (/^(system|long)\//.exec(file)?.[1] ?? 'unit') === tier;

/**
 * The files by process, the longest first. Files of one folder share a process, so that modules are loaded once. Tests
 * of processes have one for each file.
 */
export function roomsOf(files: readonly string[], tier: Tier, msOf: (file: string) => number): string[][] {
  const longestFirst = (a: string, b: string) => msOf(b) - msOf(a) || a.localeCompare(b);
  const rooms: { files: string[]; folder: string; ms: number }[] = [];
  for (const file of files.toSorted(longestFirst)) {
    const folder = file.split('/').slice(0, -1).join('/');
    const fits = ({ folder: other, ms }: { folder: string; ms: number }) =>
      other === folder && ms + msOf(file) <= ROOM_MS;
    const room = tier === 'unit' ? rooms.find(fits) : undefined;
    if (room === undefined) rooms.push({ files: [file], folder, ms: msOf(file) });
    else {
      room.files.push(file);
      room.ms += msOf(file);
    }
  }
  return rooms.toSorted((a, b) => b.ms - a.ms).map((room) => room.files);
}
