/** Competitions as they are played, over three nodes. */
import '../../support/spread-platform.js';

await import('../../competitions/play.test.js');
