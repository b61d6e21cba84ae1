/** What hosted/play.test.ts promises once more, with the sockets on two threads. */
process.env['TEST_FRONTS'] = '2';
await import('../../hosted/play.test.js');
