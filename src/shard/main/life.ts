import type { MessagePort } from 'node:worker_threads';
import type { TableOpening } from '../../table/api.js';
import type { Heartbeat } from '../heartbeat.js';

/** One life of a shard's thread. */
export interface Life {
  port: MessagePort;
  heartbeat: Heartbeat;
  /** It said `ready`: it takes messages. */
  up: boolean;
  tables: TableOpening[];
  /** Stored tables by id that it has not opened yet; after that it plays. */
  opening: Set<string>;
  /** It said that the database is away. */
  databaseAway: boolean;
  /** Ends this life, once. */
  lost: (reason: string) => void;
}
