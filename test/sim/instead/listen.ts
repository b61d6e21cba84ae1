import type * as real from '../../../src/gateway/listen.js';
import { machine } from '../machine/machine.js';

/** src/gateway/listen.ts: the simulated network. */
export const chooseTransport: typeof real.chooseTransport = () => (options, handlers) =>
  machine().network.listen(options, handlers);

/** No fronts on threads of their own here. */
export const loadUws: typeof real.loadUws = () => ({ module: null, name: '', failures: ['simulated'] });
