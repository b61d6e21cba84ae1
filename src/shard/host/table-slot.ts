import type { SocketId, TableApi, TableOpening } from '../../table/api.js';
import { assert } from '../../ops/assert.js';
import type { Timed } from './deadlines.js';
import { HeldMessages } from './held-messages.js';
import type { TableMessage } from '../messages.js';
import { OpQueue } from '../commit/op-queue.js';

/** The most messages of clients that wait for a table that opens, and for each agent with a buy-in under way. */
export const HELD_BY_TABLE = 1000;
export const HELD_OF_AGENT = 32;

/** A question to the thread that holds a socket (see Rounds): its number, when it was asked first and last (epoch ms). */
export interface Round {
  number: number;
  first: number;
  asked: number;
}

/** How far a table has come on its shard. */
export type SlotState =
  /** Its row is being stored, or taken over. */
  | { readonly is: 'opening' }
  | { readonly is: 'open'; readonly table: TableApi }
  /** Its hand is void, and it waits to be opened again from what is stored. */
  | { readonly is: 'reopening' }
  /** All seats are released and table_closed is sent. It only answers resync and repeated actions, as in `closed`. */
  | { readonly is: 'closing'; readonly table: TableApi }
  /** Its row is closed, too. Null: its row was found closed when it was to be opened again. */
  | { readonly is: 'closed'; readonly table: TableApi | null };

/** The lobby's orders to a table, repeated when the table is opened again. */
export type SlotOrder =
  | { readonly is: 'play' }
  /** No new hands here. */
  | { readonly is: 'wind_down' }
  | { readonly is: 'close'; readonly reason: string };

/** A table and what its shard knows beside it. */
export class TableSlot implements Timed {
  due = Infinity;
  place = -1;
  state: SlotState = { is: 'opening' };
  order: SlotOrder = { is: 'play' };
  /** It is among the open tables of its pool (PoolShares). */
  counted = false;
  /** It waits until all that its players have said is read. */
  round: Round | null = null;
  /** Messages from the time without a table. */
  readonly held = new HeldMessages(HELD_BY_TABLE);
  /** Messages for each agent with a buy-in under way. */
  readonly sits = new Map<string, HeldMessages>();
  /** By agent: its present socket, to attach it again when the table is opened again. */
  readonly sockets = new Map<string, SocketId>();
  /** The watches, each with the agent of the visible cards. */
  readonly watches = new Map<SocketId, string | null>();
  readonly ops: OpQueue;
  /** When hands of this table were void, epoch ms: the latest few. */
  voidedAt: number[] = [];

  constructor(
    readonly opening: TableOpening,
    onError: (error: Error) => boolean,
  ) {
    this.ops = new OpQueue(onError);
  }

  get id(): string {
    return this.opening.tableId;
  }

  /** Null while it is being opened, or opened again. */
  get table(): TableApi | null {
    return 'table' in this.state ? this.state.table : null;
  }

  /** It plays no more: its row is closed, or is about to be. */
  get closed(): boolean {
    return this.state.is === 'closing' || this.state.is === 'closed';
  }

  /** It is built from its rows, for the first time or again. */
  plays(table: TableApi): void {
    assert(this.state.is === 'opening' || this.state.is === 'reopening', 'a table is put in place once', this.state.is);
    this.state = { is: 'open', table };
  }

  /** The table has given all stacks back. */
  closes(): void {
    assert(this.state.is === 'open', 'an open table closes', this.state.is);
    this.state = { is: 'closing', table: this.state.table };
  }

  /** It shall close; the first reason stays. */
  orderClose(reason: string): void {
    if (this.order.is !== 'close') this.order = { is: 'close', reason };
  }

  /** Keeps what a table opened again in between shall know. */
  note(message: TableMessage): void {
    switch (message.t) {
      case 'attach':
        this.sockets.set(message.agentId, message.socket);
        break;
      case 'detach':
        if (this.sockets.get(message.agentId) === message.socket) this.sockets.delete(message.agentId);
        break;
      case 'watch':
        this.watches.set(message.watch, message.agentId);
        break;
      case 'unwatch':
        this.watches.delete(message.watch);
        break;
      case 'windDown':
        if (this.order.is === 'play') this.order = { is: 'wind_down' };
        break;
      case 'resumePlay':
        if (this.order.is === 'wind_down') this.order = { is: 'play' };
        break;
      case 'close':
        this.orderClose(message.reason);
        break;
      default:
        break;
    }
  }
}
