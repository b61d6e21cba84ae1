/** Hands as their players see them, over three nodes. */
import '../../support/spread-platform.js';

await import('../../platform/play.test.js');
