/** Members of a competition, over three nodes. */
import '../../support/spread-platform.js';

await import('../../competitions/members.test.js');
