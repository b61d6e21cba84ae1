/** What becomes of an action, over three nodes. */
process.env['TEST_NODES'] = '3';
await import('../../platform/actions.test.js');
