/** What whole.test.ts promises once more, on three nodes with bots on each; the leader is killed in the middle. */
process.env['TEST_NODES'] = 'three';
await import('../../system/competition.test.js');
