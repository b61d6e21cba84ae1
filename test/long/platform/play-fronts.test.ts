/** The hands of play.test.ts once more, with the sockets on two threads. */
process.env['TEST_FRONTS'] = '2';
process.env['TEST_TRANSPORT'] = 'uws';
await import('../../platform/play.test.js');
