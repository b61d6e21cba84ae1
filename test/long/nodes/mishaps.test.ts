/** What went wrong for an agent, over three nodes. */
process.env['TEST_NODES'] = '3';
await import('../../platform/mishaps.test.js');
