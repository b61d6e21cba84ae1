/** Hands and profiles as strangers read them, over three nodes. */
import '../../support/spread-platform.js';

await import('../../platform/spectators.test.js');
