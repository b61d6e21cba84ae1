/** The variable that stillborn-shard.ts reads. A thread has the environment of its creation. */
export const STILLBORN = 'TEST_STILLBORN_SHARD';
