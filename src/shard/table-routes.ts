import { HeldMessages, dropped } from './host/held-messages.js';
import type { SocketId } from '../table/api.js';
import type { TableMessage, ToShard } from './messages.js';

interface Link {
  send(message: ToShard): void;
}

/** Of clients, for a table whose shard hands it over, which takes a post there and back, or is recovered meanwhile. */
const HELD_MOST = 1000;

/**
 * Links to shards for a thread that sends to tables, some of which move. While a table is handed over its messages are
 * held here; then they go to its new shard, before all that is sent there later. So the old shard has read all that comes
 * for a table before it lets it go, and a table reads everything in the order it was sent in.
 */
export class TableRoutes {
  /** By shard, as the thread's own links are. */
  readonly links: readonly Link[];
  readonly #held = new Map<string, HeldMessages>();

  /** `onDropped`: a client's message came while too many were held. */
  constructor(
    private readonly own: readonly Link[],
    private readonly onDropped: (socket: SocketId) => void,
  ) {
    this.links = own.map((link) => ({
      send: (message) => {
        const held = this.#held.size === 0 || !('table' in message) ? undefined : this.#held.get(message.table);
        if (held === undefined) link.send(message);
        else this.#hold(held, message as TableMessage);
      },
    }));
  }

  hold(table: string): void {
    if (!this.#held.has(table)) this.#held.set(table, new HeldMessages(HELD_MOST));
  }

  /** What is held goes there; from now on whoever has a route to the table sends there, too. */
  release(table: string, shard: number): void {
    const held = this.#held.get(table);
    this.#held.delete(table);
    for (const message of held?.take() ?? []) this.own[shard]!.send(message);
  }

  #hold(held: HeldMessages, message: TableMessage): void {
    const answer = held.hold(message) ? null : dropped(message);
    if (answer !== null) this.onDropped(answer.socket);
  }
}
