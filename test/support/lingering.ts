/** The variable with the file that lingering-shard.ts makes. Nothing can end the thread until the file is deleted. */
export const LINGERING = 'TEST_LINGERING_SHARD';
