/** The variable that tells lingering-shard.ts which file to make once nothing can end its thread. */
export const LINGERING = 'TEST_LINGERING_SHARD';
