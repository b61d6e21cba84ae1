/** Fair deals, over three nodes. */
process.env['TEST_NODES'] = '3';
await import('../../platform/fair-play.test.js');
