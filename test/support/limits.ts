import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How long tests may take and how much they do. A limit guards against hanging and decides nothing else: it is ten
 * times what a slow machine with other work needs.
 */

/** `SUITE=full` runs long proofs whole. */
export const FULL = process.env['SUITE'] === 'full';

/** So much of a long proof: a fortieth of it, rounded up, or all with `SUITE=full`. */
export const inSuite = (whole: number): number => (FULL ? whole : Math.ceil(whole / 40));

/** For a whole file. The runner sets it by what it knows of the file; this is for one that is run alone. */
export const FILE_MS = Number(process.env['TAP_TIMEOUT'] ?? (FULL ? 14_400 : 1_800)) * 1000;

/** For one thing that must come: a frame, an answer, the start or the end of a process. */
export const PATIENCE_MS = 120_000;

/**
 * Asks until the answer is something (neither undefined, null nor false), for what no event tells; rejects in the end.
 * `everyMs`: longer where asking is limited by the minute.
 */
export async function eventually<T>(
  what: string,
  look: () => T | Promise<T>,
  everyMs = 10,
): Promise<Exclude<T, undefined | null | false>> {
  for (const deadline = performance.now() + PATIENCE_MS; ; await sleep(everyMs)) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) {
      return found as Exclude<T, undefined | null | false>;
    }
    if (performance.now() > deadline) throw new Error(`not within ${PATIENCE_MS} ms: ${what}`);
  }
}
