/** Members of a competition, over three nodes. */
process.env['TEST_NODES'] = '3';
await import('../../competitions/members.test.js');
