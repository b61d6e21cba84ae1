/** From the lobby to a seat and back, over three nodes. */
process.env['TEST_NODES'] = '3';
await import('../../platform/lobby-play.test.js');
