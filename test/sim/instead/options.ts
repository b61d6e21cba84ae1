import type * as real from '../../../src/shard/options.js';

/** src/shard/options.ts with a slower heartbeat: most of the events of a seed would be pings otherwise. */
export const HEARTBEAT: typeof real.HEARTBEAT = { pingMs: 1_000, silenceMs: 3_500, startMs: 15_000 };
