/** From the lobby to a seat and back, over three nodes. */
import '../../support/spread-platform.js';

await import('../../platform/lobby-play.test.js');
