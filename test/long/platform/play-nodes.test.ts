/** What play.test.ts promises once more, on three nodes: sockets on each in turn, and tables on each. */
process.env['TEST_NODES'] = 'three';
await import('../../platform/play.test.js');
