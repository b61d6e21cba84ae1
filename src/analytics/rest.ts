/** Cores that are left to play before counting takes anything: play comes in bursts, and an average hides them. */
const LEFT_TO_PLAY = 0.5;
/** Of the next idle core, the part that counting may take; and what it takes where none is idle. */
const SHARE = 0.2;
const LEAST = 0.0025;
/** Whether cores are idle is looked at after each rest; and a round that was held up took longer than it worked. */
export const LONGEST_REST_MS = 40_000;

/** How long counting rests after it worked for so many ms, with so many cores idle before. */
export function restAfter(workedMs: number, idleCores: number): number {
  const spare = Math.min(1, idleCores - LEFT_TO_PLAY);
  const share = Math.max(LEAST, SHARE * spare);
  return Math.min(LONGEST_REST_MS, workedMs * (1 / share - 1));
}

/**
 * How long after a round the next one begins. One that left hands and counted none has waited, for the thread to start or
 * for the database: it has no work to rest from.
 */
export function pauseAfter(
  round: { hands: number; behind: boolean; tookMs: number },
  idleCores: number,
  refreshMs: number,
): number {
  return round.behind && round.hands > 0 ? restAfter(round.tookMs, idleCores) : refreshMs;
}
