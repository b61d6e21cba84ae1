/** Hands and profiles as strangers read them, over three nodes. */
process.env['TEST_NODES'] = '3';
await import('../../platform/spectators.test.js');
