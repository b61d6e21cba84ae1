/** The variable that tells lingering-shard.ts which file to make; until it is deleted nothing can end the thread. */
export const LINGERING = 'TEST_LINGERING_SHARD';
