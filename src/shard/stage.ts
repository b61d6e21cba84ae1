import type { TableApi, TableOpening } from '../table/api.js';
import type { Clock } from './clock.js';
import type { Durable } from './durable.js';
import type { HostedTable, TableMessage } from './hosted.js';
import type { ToFront } from './messages.js';
import type { Fence } from './queries.js';

/** What the parts of a shard ask of its host. */
export interface Stage {
  readonly clock: Clock;
  readonly tables: Map<string, HostedTable>;
  readonly durable: Durable;
  readonly fence: Fence;
  /** Calls a table: its deadlines, effects and frames are taken care of, and an exception voids its hand. */
  call(hosted: HostedTable, use: (table: TableApi, now: number) => void): void;
  /** A message that goes with the next post. */
  send(message: ToFront): void;
  /** A message that is posted now. */
  say(message: ToFront): void;
  log(level: 'info' | 'warn' | 'error', message: string, detail: Record<string, unknown>): void;
  /** The end of a turn of the event loop that called tables: what they said leaves now. */
  rest(): void;
  /** Puts a table in place, built from what is stored. */
  install(hosted: HostedTable, opening: TableOpening): void;
  /** Takes a table out of play whose hand is void, and opens it again from what is stored. */
  voidHand(hosted: HostedTable, error: Error): void;
  /** Takes messages up again that waited for a buy-in. */
  resume(hosted: HostedTable, messages: readonly TableMessage[]): void;
  /** The table is closed in the database as well. */
  closed(hosted: HostedTable): void;
}
