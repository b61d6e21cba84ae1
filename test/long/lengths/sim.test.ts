/** The simulated platforms, in the whole length. */
await import('../../system/sim.test.js');
