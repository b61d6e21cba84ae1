/** What durability.test.ts promises once more, on three nodes that live and end as one. */
process.env['TEST_NODES'] = 'three';
await import('../../system/durability.test.js');
