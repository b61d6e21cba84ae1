/** A competition of duplicates, over three nodes. */
process.env['TEST_NODES'] = '3';
await import('../../competitions/duplicates.test.js');
