/** Standings and results, over three nodes. */
import '../../support/spread-platform.js';

await import('../../competitions/results.test.js');
