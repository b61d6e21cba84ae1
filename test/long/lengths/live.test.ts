/** The live page, in the whole length. */
await import('../../web/live.test.js');
