/** Three seasons, in the whole length. */
await import('../../system/three-seasons.test.js');
