/** Rebuys as seasons and competitions share them: each granted once, by the terms of its pool, also after a restart. */
export { rebuyAnswer } from './answer.js';
export type { RebuyPool, RebuyPools, RebuyTerms, Request, RebuyStanding } from './pool.js';
export { rebuyRefusal } from './refusal.js';
export { scoreOf } from './score.js';
export { Rebuys } from './rebuys.js';
export type { RebuyResult } from './result.js';
