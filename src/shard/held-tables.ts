import { HeldMessages } from './host/held-messages.js';
import type { TableMessage, ToShard } from './messages.js';

/** Of clients, for a table whose shard hands it over, which takes a post there and back, or is recovered meanwhile. */
const HELD_MOST = 1000;

/**
 * Messages for tables that move, held by whoever sends to tables: so the old shard has read all that comes for a table
 * before it lets it go, and a table reads everything in the order it was sent in.
 */
export class HeldTables {
  readonly #held = new Map<string, HeldMessages>();

  /** `onDropped`: a client's message came while too many were held. */
  constructor(private readonly onDropped: (message: TableMessage) => void) {}

  /** Those that move, as far as is known here. */
  get tables(): string[] {
    return [...this.#held.keys()];
  }

  hold(table: string): void {
    if (!this.#held.has(table)) this.#held.set(table, new HeldMessages(HELD_MOST));
  }

  /** Whether the message waits from now on, as its table moves. */
  keeps(message: ToShard): boolean {
    if (this.#held.size === 0 || !('table' in message)) return false;
    const held = this.#held.get(message.table);
    if (held === undefined) return false;
    if (!held.hold(message as TableMessage)) this.onDropped(message as TableMessage);
    return true;
  }

  /** The table moves no more: all that was held for it. */
  release(table: string): TableMessage[] {
    const held = this.#held.get(table);
    this.#held.delete(table);
    return held?.take() ?? [];
  }
}
