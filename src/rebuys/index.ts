/** Rebuys as seasons and competitions share them: each granted once, by the terms of its pool, also after a restart. */
export { rebuyAnswer } from './answer.js';
export type { RebuyPool, RebuyPools, RebuyTerms, Request, Standing } from './pool.js';
export { BUSTED, Rebuys, type RebuyResult } from './rebuys.js';
