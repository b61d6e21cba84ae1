/** Co-organizers of a competition, over three nodes. */
process.env['TEST_NODES'] = '3';
await import('../../competitions/co-organizers.test.js');
