/** What seats.test.ts promises once more, with the sockets on two nodes in turn. */
process.env['TEST_NODES'] = '2';
await import('./seats.test.js');
