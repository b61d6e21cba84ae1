/** Duplicate decks, in the whole length. */
await import('../../table/duplicate.test.js');
