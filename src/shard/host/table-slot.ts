import type { SocketId, TableApi, TableOpening } from '../../table/api.js';
import type { Timed } from './deadlines.js';
import { HeldMessages } from './held-messages.js';
import type { TableMessage } from '../messages.js';
import { OpQueue } from '../commit/op-queue.js';

/** Messages of clients that are kept for a table that is being opened, and for each agent whose buy-in is under way. */
export const HELD_BY_TABLE = 1000;
export const HELD_OF_AGENT = 32;

/** A question to the thread that holds a socket (see Rounds): its number, when it was asked first and last (epoch ms). */
export interface Round {
  number: number;
  first: number;
  asked: number;
}

/** A table and what its shard knows beside it. */
export class TableSlot implements Timed {
  due = Infinity;
  place = -1;
  /** Null while it is being opened, or opened again after its hand was void. */
  table: TableApi | null = null;
  /** Nobody has stored it before, as far as whoever has it opened knows. */
  fresh = false;
  /** It was opened, whatever became of it since. */
  opened = false;
  /** All seats are released and table_closed is sent; it only answers resync and repeated actions. */
  closed = false;
  /** Its hand is void, and it waits to be opened again. */
  reopening = false;
  /** It is among the open tables of its pool (PoolShares). */
  counted = false;
  /** A close was asked for. */
  closeReason: string | null = null;
  /** No new hands here. */
  windingDown = false;
  /** It waits until all that its players have said is read. */
  round: Round | null = null;
  /** What came while there was no table. */
  readonly held = new HeldMessages(HELD_BY_TABLE);
  /** By agent whose buy-in is under way: what came for it meanwhile. */
  readonly sits = new Map<string, HeldMessages>();
  /** By agent: its present socket, to attach it again when the table is opened again. */
  readonly sockets = new Map<string, SocketId>();
  /** Who watches, with the agent whose cards it sees. */
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
        this.windingDown = true;
        break;
      case 'resumePlay':
        this.windingDown = false;
        break;
      case 'close':
        this.closeReason ??= message.reason;
        break;
      default:
        break;
    }
  }
}
