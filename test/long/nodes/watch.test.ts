/** Spectators of a table, over three nodes. */
import '../../support/spread-platform.js';

await import('../../platform/watch.test.js');
