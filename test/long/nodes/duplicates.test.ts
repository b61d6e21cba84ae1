/** A competition of duplicates, over three nodes. */
import '../../support/spread-platform.js';

await import('../../competitions/duplicates.test.js');
