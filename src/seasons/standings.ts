/** The shares of a season's first three (protocol.md, "Seasons"), in percent of the pool. */
const SPLIT = [50, 30, 20] as const;

/**
 * Cents of each rank from the pool: each share is floored, and what that leaves, two cents at most, goes to the first.
 * Together they are the pool.
 */
export function prizeShares(poolCents: number): readonly number[] {
  const [first, ...others] = SPLIT.map((percent) => Math.floor((poolCents * percent) / 100));
  const rest = others.reduce((sum, cents) => sum + cents, first!);
  return [first! + poolCents - rest, ...others];
}

export const BADGES = ['gold', 'silver', 'bronze'] as const;
export type Badge = (typeof BADGES)[number];
