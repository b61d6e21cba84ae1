import type { ServerMessage } from './generated/messages.js';
import type { Port } from './port.js';
import { Table } from './table.js';

/** The seat as far as it is known: the table, and whether a resync is to tell if it is still ours. */
export class Seat {
  table: Table | null = null;
  /** The number to ask from while a resync is under way. */
  #askedFrom: number | null = null;
  /** The table that people were told of last. */
  #told: string | null = null;

  constructor(private readonly port: Port) {}

  /** A resync is under way: what comes meanwhile may not be all of it. */
  get isUnsure(): boolean {
    return this.#askedFrom !== null;
  }

  isAt(tableId: string): boolean {
    return this.table?.id === tableId;
  }

  isOwn({ table_id: id, seat }: { table_id: string; seat: number }): boolean {
    return this.isAt(id) && this.table?.seat === seat;
  }

  take(id: string, seat: number): Table {
    this.#askedFrom = null;
    if (id !== this.#told) {
      this.port.log('info', 'seated', `sits at table ${id}, seat ${seat}`, { tableId: id, seat });
      this.#told = id;
    }
    return (this.table = new Table(id, seat));
  }

  /** A frame of the table goes to it. False where its number does not rise: it tells nothing new. */
  follow(message: ServerMessage): boolean {
    if (this.table === null || !('table_seq' in message) || !this.isAt(message.table_id)) return true;
    if (!this.table.isNews(message.table_seq)) return false;
    this.table.tell(message);
    return true;
  }

  /** The connection is gone: the next one asks what was missed. */
  lost(): void {
    if (this.table === null) return;
    this.table.lost();
    this.#askedFrom ??= this.table.lastSeq;
  }

  /** Asks for what was missed, from the same number until it is told; `fromStart`: for all of it. */
  resync(fromStart = false): void {
    if (this.table === null) return;
    const since = fromStart ? 0 : (this.#askedFrom ?? this.table.lastSeq);
    this.#askedFrom = since;
    this.port.send({ type: 'resync_request', table_id: this.table.id, last_table_seq: since === 0 ? null : since });
  }

  /** The answer to a resync is here. */
  resynced(): void {
    this.#askedFrom = null;
  }

  forget(): void {
    this.table = this.#askedFrom = null;
  }
}
