/** What actions.test.ts promises once more, with all tables on the node that does not lead, and the sockets on both in turn. */
process.env['TEST_NODES'] = 'lent';
await import('../../platform/actions.test.js');
