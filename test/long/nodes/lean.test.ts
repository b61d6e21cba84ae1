/** Lean sockets, over three nodes. */
process.env['TEST_NODES'] = '3';
await import('../../platform/lean.test.js');
