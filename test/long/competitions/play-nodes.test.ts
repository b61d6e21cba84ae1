/** What play.test.ts promises beside the season once more, on three nodes: sockets on each in turn, and tables on each. */
process.env['TEST_NODES'] = 'three';
await import('../../support/topologies.js');
await import('../../competitions/play.test.js');
