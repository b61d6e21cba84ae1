/** The variable that stillborn-shard.ts looks for: a thread has the environment of when it was made. */
export const STILLBORN = 'TEST_STILLBORN_SHARD';
