/** Hands as their players see them, over three nodes. */
process.env['TEST_NODES'] = '3';
await import('../../platform/play.test.js');
