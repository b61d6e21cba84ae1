import type { TableApi, TableOpening } from '../../table/api.js';
import type { SteadyClock } from '../steady-clock.js';
import type { Durable } from '../commit/durable.js';
import type { Posts } from './flusher.js';
import type { TableSlot } from './table-slot.js';
import type { TableMessage } from '../messages.js';
import type { Fence } from '../commit/queries.js';

/** The common parts of a shard. */
export interface ShardBase {
  readonly clock: SteadyClock;
  readonly durable: Durable;
  readonly fence: Fence;
  readonly posts: Posts;
}

/** The services of the tables' host. */
export interface HostedTables {
  readonly tables: ReadonlyMap<string, TableSlot>;
  /** Calls a table: its deadlines, effects and frames are taken care of, and an exception makes its hand void. */
  call(slot: TableSlot, use: (table: TableApi, now: number) => void): void;
  /** Puts a table in place, built from what is stored. */
  install(slot: TableSlot, opening: TableOpening): void;
  /** The table is another shard's, or cannot be stored: what came for it is answered. */
  giveBack(slot: TableSlot): void;
  /** Voids a table's hand and opens the table again from the stored state. */
  voidHand(slot: TableSlot, error: Error): void;
  /** The same where the error is a failed assertion; throws any other. */
  contradicted(slot: TableSlot, error: unknown): void;
  /** Takes messages up again that waited for a buy-in. */
  resume(slot: TableSlot, messages: readonly TableMessage[]): void;
  /** Answers messages for a table that is not here. */
  refuse(messages: readonly TableMessage[]): void;
  /** A fault of the shard itself. */
  crash(error: Error): void;
  /** The table is closed in the database as well. */
  closed(slot: TableSlot): void;
}
