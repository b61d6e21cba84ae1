import type { ShardLink } from '../../src/gateway/ports.js';
import type { FromShard, ToShard } from '../../src/shard/messages.js';
import type { TableOpening } from '../../src/table/api.js';
import { ShareTable, type TableHost } from './table.js';

/** The shard's needs of its node: its tables' needs except its own part. */
export type ShardHost = Omit<TableHost, 'drains' | 'owns' | 'gone'>;

/** A node's shard: its tables, without cards (table.ts). */
export class ShareShard implements ShardLink {
  readonly #tables = new Map<string, ShareTable>();
  readonly #host: TableHost;
  #drains = false;

  constructor(
    private readonly number: number,
    host: ShardHost,
  ) {
    const drains = () => this.#drains;
    this.#host = {
      ...host,
      get drains() {
        return drains();
      },
      owns: (tableId) => host.rows.shardOf(tableId) === this.number,
      gone: (table) => void this.#tables.delete(table.tableId),
    };
  }

  /** Opens the tables that its rows have; resolves to them. */
  recover(): TableOpening[] {
    const openings = [...this.#host.rows.tables.values()].filter(({ shardNo }) => shardNo === this.number);
    for (const opening of openings) this.#add(opening);
    return openings;
  }

  /** No hand begins any more. True: none is running. */
  drain(): boolean {
    this.#drains = true;
    return [...this.#tables.values()].every(({ inHand }) => !inHand);
  }

  send(message: ToShard): void {
    void this.#answer(message);
  }

  async #answer(message: ToShard): Promise<void> {
    if (message.t === 'open') return this.#open(message);
    if (!('table' in message)) return;
    const table = this.#tables.get(message.table);
    if (table === undefined) return this.#unknown(message);
    switch (message.t) {
      case 'sit':
        return table.sit(message);
      case 'attach':
        return table.attach(message);
      case 'detach':
        return table.detach(message);
      case 'leave':
      case 'moveOn':
      case 'part':
        return table.leave(message.agentId, message.sitting);
      case 'close':
        return table.close();
      case 'seat': {
        const seat = table.seatOf(message.agentId);
        const found = seat ? { seat: seat.seat, stack: seat.stack, leaving: seat.leaving !== null } : null;
        return this.#host.post({ t: 'seat', ticket: message.ticket, seat: found });
      }
      default:
        throw new Error(`no table here answers ${message.t}`);
    }
  }

  async #open({ opening, restored }: Extract<ToShard, { t: 'open' }>): Promise<void> {
    const { rows, post } = this.#host;
    const { tableId } = opening;
    if (!restored) await rows.statement(() => rows.tables.set(tableId, { ...opening, shardNo: this.number }));
    this.#add(opening);
    post({ t: 'opened', table: tableId, ok: true, detail: null });
  }

  #add(opening: TableOpening): void {
    const table = new ShareTable({ ...opening }, this.#host);
    this.#tables.set(opening.tableId, table);
    this.#host.post({ t: 'summary', summary: table.summary() });
  }

  #unknown(message: Extract<ToShard, { table: string }>): void {
    const { post } = this.#host;
    const { t, table } = message;
    let answer: FromShard | null = null;
    if (t === 'sit') {
      const { ticket, player } = message;
      answer = { t: 'sitFailed', table, ticket, agentId: player.agentId, code: 'table_gone' };
    } else if (t === 'seat') answer = { t: 'seat', ticket: message.ticket, seat: null };
    else if (t === 'attach' || t === 'rebuy') answer = { t: 'unknownTable', table, socket: message.socket, of: t };
    if (answer !== null) post(answer);
  }
}
