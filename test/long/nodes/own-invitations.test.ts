/** The own invitations, over three nodes. */
process.env['TEST_NODES'] = '3';
await import('../../competitions/own-invitations.test.js');
