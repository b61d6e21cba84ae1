/** The secrecy of cards, in the whole length. */
await import('../../platform/secrecy.test.js');
