import type { RandomSource } from '../cards/random.js';
import type { TableApi, TableOpening } from './api.js';
import type { Outbox } from './outbox.js';

/** A table's dependencies, from its shard. */
export interface TableEnv {
  random: RandomSource;
  out: Outbox;
  /** The table checks all that holds at it after each call (deep-checks.ts). Absent: false. */
  deepChecks?: boolean;
}

export type TableFactory = (now: number, opening: TableOpening, env: TableEnv) => TableApi;
