/** Seats, takeovers, reconnects and resyncs, over three nodes. */
process.env['TEST_NODES'] = '3';
await import('../../platform/seats.test.js');
