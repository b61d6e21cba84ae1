export { rebuyAnswer, rebuyRefusal } from './answers.js';
export { scoreOf, type RebuyPool, type RebuyPools, type RebuyTerms, type Request, type RebuyStanding } from './pool.js';
export { Rebuys } from './rebuys.js';
export type { RebuyResult } from './result.js';
