import { type Bot } from './shard-house.js';

/** A shard's thread that fails on demand. */
export const entry = new URL('./faulty-shard.js', import.meta.url);

/** The table_seq of a message, 0 without. */
export const seqOf = (message: object) => ('table_seq' in message ? (message.table_seq as number) : 0);
/** The most results that one bot has read. */
export const resultsOf = (bots: readonly Bot[]) => bots.reduce((most, bot) => Math.max(most, bot.results.length), 0);
/** The ids of all hands with an end that any bot was told. */
export const sentHands = (bots: readonly Bot[]) => [
  ...new Set(bots.flatMap((bot) => bot.results.map((result) => result.hand_id!))),
];
