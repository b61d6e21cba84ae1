/** Spectators of a table, over three nodes. */
process.env['TEST_NODES'] = '3';
await import('../../platform/watch.test.js');
