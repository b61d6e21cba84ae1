/** The operator's room: what operators see and do (observe.md, "The operator's room"). */
export * from './actions.js';
export * from './collusion.js';
export * from './lists.js';
export * from './reads.js';
