/** The outcomes of an action, over three nodes. */
import '../../support/spread-platform.js';

await import('../../platform/actions.test.js');
