/** Competitions as they are played, over three nodes. */
process.env['TEST_NODES'] = '3';
await import('../../competitions/play.test.js');
