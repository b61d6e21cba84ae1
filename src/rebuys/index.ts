export { rebuyAnswer, rebuyRefusal, type RebuyRefused } from './answers.js';
export { scoreOf, type RebuyPool, type RebuyPools, type RebuyTerms, type Request, type RebuyStanding } from './pool.js';
export { Rebuys } from './rebuys.js';
export { rebuyRefusalOf, secondsOf, type RebuyResult, type RefusableEntry } from './result.js';
