/** How long an agent's decisions take on average: under a second, under ten, longer (protocol.md, "Match-making"). */
export type Pace = 0 | 1 | 2;

export const PACES: readonly Pace[] = [0, 1, 2];
export const SLOWEST: Pace = 2;

export const paceOf = (meanMs: number): Pace => (meanMs < 1000 ? 0 : meanMs < 10_000 ? 1 : 2);

/** An agent's pace is the mean of so many last decisions. Each counts up to so many ms. */
export const DECISIONS = 50;
export const LONGEST_COUNTED_MS = 30_000;
