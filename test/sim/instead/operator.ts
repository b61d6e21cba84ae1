import type * as real from '../../../src/platform/operator.js';

/** src/platform/operator.ts without an operator: nobody looks at a simulation. */
export const buildOperator: typeof real.buildOperator = () => ({
  part: { start: () => undefined, stop: () => undefined },
  routes: [],
});
