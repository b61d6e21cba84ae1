/** What play.test.ts promises beside the season once more, on three nodes: sockets on each in turn, and tables on each. */
process.env['TEST_NODES'] = 'three';
await import('../../competitions/play.test.js');
