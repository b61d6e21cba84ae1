import { zeroStats } from '../socket-stats.js';
import type { FrontStats } from './front-messages.js';

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
  'cpuMs',
] as const satisfies (keyof FrontStats)[];

export const zero = (): FrontStats => ({ ...zeroStats(), cpuMs: 0, loopMeanMs: 0, loopP99Ms: 0 });

/** The stats with what the others counted added; what they measured is left out. */
export function withCountsOf(stats: FrontStats, others: FrontStats): FrontStats {
  const sum = { ...stats };
  for (const key of COUNTED) sum[key] += others[key];
  return sum;
}
