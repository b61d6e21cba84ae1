import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How long tests may take and how much they do. A limit only guards against hanging: it is ten times the need of a slow
 * machine with other work.
 */

/** `SUITE=full` runs long proofs whole. */
export const FULL = process.env['SUITE'] === 'full';

/** The part of a long proof: a fortieth, rounded up, or all with `SUITE=full`. */
export const inSuite = (whole: number): number => (FULL ? whole : Math.ceil(whole / 40));

/** The limit of a whole file. The runner sets it by the file's duration. The default is for a file that runs alone. */
export const FILE_MS = Number(process.env['TAP_TIMEOUT'] ?? (FULL ? 14_400 : 1_800)) * 1000;

/** The limit of one event: a frame, an answer, the start or the end of a process. */
export const PATIENCE_MS = 120_000;

/**
 * Polls until the answer is neither undefined, null nor false, for changes without an event. Rejects in the end.
 * `everyMs` is longer where a limit counts requests by the minute.
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
