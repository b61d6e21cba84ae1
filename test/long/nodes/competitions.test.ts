/** Competitions over HTTP, over three nodes. */
process.env['TEST_NODES'] = '3';
await import('../../competitions/competitions.test.js');
