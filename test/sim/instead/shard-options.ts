import type * as real from '../../../src/shard/main/options.js';

/** src/shard/main/options.ts with a slower heartbeat: most of the events of a seed would be pings otherwise. */
export const HEARTBEAT: typeof real.HEARTBEAT = { pingMs: 1_000, silenceMs: 3_500, startMs: 15_000 };
