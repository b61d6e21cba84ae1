export { createCompetitions, dropUnplayed } from './competitions.js';
export { poolRules, rulesOfPools } from './play/pool-rules.js';
export { LivePools } from './play/live-pools.js';
export { operatorStep, selectOperated } from './life/operator.js';
export { renamed } from './people/names.js';
