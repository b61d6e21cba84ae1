import type { MessagePort } from 'node:worker_threads';
import type { DatabaseAddress } from '../store/database.js';
import type { Fence } from './commit/queries.js';

/** The start data of a shard's thread. */
export interface ShardTask extends Fence {
  port: MessagePort;
  settings: ShardSettings;
  /** The origin of the clock that all shards of the process share: see steady-clock.ts. */
  clockOrigin: number;
}

export interface ShardSettings {
  database: DatabaseAddress;
  /** Connections of each shard: one for group commits, the others for seats. */
  connections: number;
  /** How long a group commit may wait for more hands under load at most, in ms. */
  lingerMs: number;
  /** From so many tables on frames that need no answer may wait where the sockets are for others to the same socket. */
  patientTables: number;
  /** A statement without an answer for so long is repeated over new connections. */
  statementMs: number;
  /** Closed tables answer resync and repeated actions for so long, at most so many of them. */
  closedTableMs: number;
  closedTables: number;
  /** Tables check all that holds at them after each call. */
  deepChecks: boolean;
}

export const SHARD_DEFAULTS: Omit<ShardSettings, 'database'> = {
  connections: 4,
  lingerMs: 20,
  patientTables: 8,
  statementMs: 15_000,
  closedTableMs: 60_000,
  closedTables: 64,
  deepChecks: false,
};
