import { zeroStats, type SocketStats } from '../gateway/socket-stats.js';

/** What is counted, as against measured at a moment. */
const COUNTED = [
  'opened',
  'messages',
  'rateLimited',
  'invalid',
  'slowReaders',
  'watchMs',
  'frames',
  'frameBytes',
] as const satisfies (keyof SocketStats)[];

export const zero = zeroStats;

/** The stats with what the others counted added; what they measured is left out. */
export function withCountsOf(stats: SocketStats, others: SocketStats): SocketStats {
  const sum = { ...stats };
  for (const key of COUNTED) sum[key] += others[key];
  return sum;
}
