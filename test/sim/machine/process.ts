import { time } from './machine.js';

/** node:process, as much of it as the shards use: a steady clock that all threads share. */
export const hrtime = { bigint: () => BigInt(Math.round(time() * 1e6)) };
