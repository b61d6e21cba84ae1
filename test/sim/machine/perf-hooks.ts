/** node:perf_hooks on virtual time: as much of it as the shards use. */
export { performance } from './globals.js';
