import { HeldTables } from './held-tables.js';
import { dropped } from './host/held-messages.js';
import type { SocketId } from '../table/api.js';
import type { ToShard } from './messages.js';

interface Link {
  send(message: ToShard): void;
}

/**
 * Links to shards for a thread that sends to tables, some of which move. While a table is handed over its messages are
 * held here; then they go to its new shard, before all that is sent there later.
 */
export class TableRoutes {
  /** By shard, as the thread's own links are. */
  readonly links: readonly Link[];
  readonly #held: HeldTables;

  /** `onDropped`: a client's message came while too many were held. */
  constructor(
    private readonly own: readonly Link[],
    onDropped: (socket: SocketId) => void,
  ) {
    this.#held = new HeldTables((message) => {
      const answer = dropped(message);
      if (answer !== null) onDropped(answer.socket);
    });
    this.links = own.map((link) => ({
      send: (message) => {
        if (!this.#held.keeps(message)) link.send(message);
      },
    }));
  }

  hold(table: string): void {
    this.#held.hold(table);
  }

  /** What is held goes there; from now on whoever has a route to the table sends there, too. */
  release(table: string, shard: number): void {
    for (const message of this.#held.release(table)) this.own[shard]!.send(message);
  }
}
