export { HandStorage } from './hand-storage.js';
export { AuditRun } from './audit/run.js';
export { History } from './operator/history.js';
export type { Reading } from './operator/reading.js';
export { operatorRoutes, type OperatorOptions } from './operator/routes.js';
export { AdminWatch } from './watch.js';
