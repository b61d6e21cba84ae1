/** Fair deals, over three nodes. */
import '../../support/spread-platform.js';

await import('../../platform/fair-play.test.js');
