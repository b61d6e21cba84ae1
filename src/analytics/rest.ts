/** Of the cores that have nothing to do, the part that counting may take; of one core at most, and at least. */
const SHARE = 0.1;
const MOST = 0.1;
const LEAST = 0.005;

/** How long counting rests after it worked for so many ms, with so many cores idle before. */
export function restAfter(workedMs: number, idleCores: number): number {
  const share = Math.min(MOST, Math.max(LEAST, SHARE * idleCores));
  return workedMs * (1 / share - 1);
}
