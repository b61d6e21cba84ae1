/** Kills, lost shards and outages, in the whole length. */
await import('../../system/chaos.test.js');
