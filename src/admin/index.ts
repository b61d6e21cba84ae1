export { HandStorage } from './hand-storage.js';
export { AdminWatch } from './watch.js';
