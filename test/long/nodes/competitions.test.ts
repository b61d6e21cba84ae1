/** Competitions over HTTP, over three nodes. */
import '../../support/spread-platform.js';

await import('../../competitions/competitions.test.js');
