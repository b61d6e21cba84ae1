/** The mishaps of an agent, over three nodes. */
import '../../support/spread-platform.js';

await import('../../platform/mishaps.test.js');
