/** The operator's room: what the holder of ADMIN_KEY sees and does (OPERATIONS.md, "The operator's room"). */
export * from './actions.js';
export * from './lists.js';
export * from './reads.js';
