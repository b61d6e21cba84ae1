/** The own invitations, over three nodes. */
import '../../support/spread-platform.js';

await import('../../competitions/own-invitations.test.js');
