/** Co-organizers of a competition, over three nodes. */
import '../../support/spread-platform.js';

await import('../../competitions/co-organizers.test.js');
