/** Standings and results, over three nodes. */
process.env['TEST_NODES'] = '3';
await import('../../competitions/results.test.js');
