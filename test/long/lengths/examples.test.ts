/** The examples, in the whole length. */
await import('../../system/examples.test.js');
