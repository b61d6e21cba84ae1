import type * as real from '../../../src/ops/port-check.js';

/** src/ops/port-check.ts without real sockets: a simulated port is free. */
export const checkPorts: typeof real.checkPorts = () => Promise.resolve();
export const freePort: typeof real.freePort = () => Promise.resolve(1);
