/** Watchers of a fast table, in the whole length. */
await import('../../platform/watch.test.js');
