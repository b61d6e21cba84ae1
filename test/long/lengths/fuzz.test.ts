/** Hostile input, in the whole length. */
await import('../../system/fuzz.test.js');
