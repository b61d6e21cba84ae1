/** Attackers, in the whole length. */
await import('../../system/abuse.test.js');
