export { flowsOf, type HandResult } from './flows.js';
export { PRIOR_SPREAD, rate, type PairFlow, type RatedAgent, type RatedTotals } from './model.js';
export { finished } from './finished.js';
