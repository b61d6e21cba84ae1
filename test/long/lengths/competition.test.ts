/** A whole competition, in the whole length. */
await import('../../system/competition.test.js');
