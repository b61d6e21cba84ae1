/** Lean sockets, over three nodes. */
import '../../support/spread-platform.js';

await import('../../platform/lean.test.js');
