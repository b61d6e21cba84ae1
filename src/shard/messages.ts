import type { ActionMessage } from '../protocol/client.js';
import type { Mishap } from '../protocol/mishap.js';
import type { Distribution } from '../ops/buckets.js';
import type { Heap } from '../ops/heap-watch.js';
import type { LeaveReason, Player, SocketId, TableOpening, TableSummary } from '../table/api.js';
import type { KnownTempo } from '../table/seats/tempo.js';

/**
 * The closed catalogue of messages between the threads that hold sockets, the main thread among them, and a shard. They
 * travel in batches, one for each turn of the event loop and direction (see wire.ts). Frames to players travel
 * beside them as raw bytes (FrameBatch), which the sockets' thread forwards unread. Within one batch the frames come
 * before the messages.
 */

/** To a shard. Tables are named by id; a message for a table that is gone is answered `unknownTable` or ignored. */
export type ToShard =
  /**
   * Open a table: insert its row if it is new, adopt it (raise its shard and epoch) if it is stored. Answer: opened; once
   * more when it is asked again for a table that is open.
   */
  | { t: 'open'; opening: TableOpening; restored: boolean }
  /** Buy in and sit down. Answer: sat or sitFailed with the same ticket. `sitting`: a fresh UUID that names the stay. */
  | {
      t: 'sit';
      table: string;
      ticket: number;
      sitting: string;
      player: Player;
      buyIn: number;
      socket: SocketId;
      /** As in Sitting. */
      tempo?: KnownTempo;
    }
  | { t: 'attach'; table: string; agentId: string; socket: SocketId }
  | { t: 'detach'; table: string; agentId: string; socket: SocketId }
  | { t: 'act'; table: string; agentId: string; socket: SocketId; message: ActionMessage }
  /** `sitting`: the stay that shall end; null: the present one, for what a client says on its own socket. */
  | { t: 'leave'; table: string; agentId: string; sitting: string | null; socket: SocketId }
  /** Somebody who is alone with held seats is sent elsewhere (TableApi.moveOn). */
  | { t: 'moveOn'; table: string; agentId: string; sitting: string | null; reason: string }
  /** The same of somebody who is not alone: once its hand is over (TableApi.part). */
  | { t: 'part'; table: string; agentId: string; sitting: string; reason: string }
  /** All that had arrived from a table's players when it asked (`round`) has been read. */
  | { t: 'heard'; table: string; round: number }
  /** A thread that holds sockets stood still, by the machine's steady clock in ms. */
  | { t: 'stood'; from: number; to: number }
  /** With the id that its asker gave it, if any. */
  | { t: 'rebuy'; table: string; agentId: string; socket: SocketId; requestId: string | null }
  | { t: 'nonce'; table: string; agentId: string; socket: SocketId; nonce: string }
  | { t: 'invalid'; table: string; agentId: string; socket: SocketId }
  | { t: 'resync'; table: string; agentId: string | null; socket: SocketId; lastTableSeq: number | null }
  /** Spectators of a socket hub (TableApi.watch), and their end. */
  | { t: 'watch'; table: string; watch: SocketId; agentId: string | null }
  | { t: 'unwatch'; table: string; watch: SocketId }
  | {
      t: 'update';
      table: string;
      agentId: string;
      change: Partial<Pick<Player, 'autoRebuy' | 'isPro' | 'name' | 'avatarUrl' | 'publicProfileSlug'>>;
    }
  | { t: 'rebuyPending'; table: string; agentId: string; pending: boolean }
  /** `voidHand`: a hand in progress is void, as at a season's end; else it is played out. */
  | { t: 'close'; table: string; reason: string; voidHand: boolean }
  /** The last minutes of a season: no new hands here and no newcomers, seats stay (TableApi.drain). */
  | { t: 'windDown'; table: string }
  /** Undoes windDown: hands go on, newcomers may sit down. */
  | { t: 'resumePlay'; table: string }
  /** A view of what was last sent. Answer: answer with the same ticket. */
  | { t: 'state'; table: string; ticket: number }
  /** A spectator's resync from another node. Answer: state. */
  | { t: 'replay'; table: string; ticket: number; agentId: string; lastTableSeq: number | null }
  | { t: 'seat'; table: string; ticket: number; agentId: string }
  /** No new hands on any table; hands in progress may finish. Answer: drained once none is running. */
  | { t: 'drain' }
  /** Heartbeat, answered at once by pong. `at` by the machine's steady clock; `lateMs`: so late was its sender. */
  | { t: 'ping'; at: number; lateMs?: number }
  /** Flush, close the database connections and end. Hands still running are void. */
  | { t: 'stop' };

export type SitFailure = 'season_buy_in_failed' | 'table_full' | 'table_gone' | 'pool_not_open';

/** Distributions since the start of the thread; of durations in seconds (buckets.ts: SECONDS), of `batch` in HANDS. */
export interface ShardSpans {
  /** From the reading of the batch that an action came with until its table has written ack and frames. */
  action: Distribution;
  /** How long the main thread's heartbeats waited for the thread to read them, as all messages do. */
  queue: Distribution;
  /** From the end of a hand until it is in the database and its result is sent. */
  storing: Distribution;
  /** Group commits. */
  commit: Distribution;
  /** Number of hands of a group commit. */
  batch: Distribution;
}

/** Counters since the start of the thread, and gauges, for /metrics. */
export interface ShardStats {
  tables: number;
  hands: number;
  actions: number;
  frames: number;
  frameBytes: number;
  committedHands: number;
  /** How often a table has put its next hand off for other pools. */
  heldHands: number;
  spans: ShardSpans;
  /** Event-loop delay of the thread in ms: mean and p99 since the last report. */
  loopMeanMs: number;
  loopP99Ms: number;
  /** CPU time of the thread since its start, in ms. */
  cpuMs: number;
  heap?: Heap;
}

/** From a shard, to the main thread. */
export type FromShard =
  | { t: 'ready'; epoch: number }
  | { t: 'opened'; table: string; ok: boolean; detail: string | null }
  | {
      t: 'sat';
      table: string;
      ticket: number;
      agentId: string;
      sitting: string;
      seat: number;
      stack: number;
      balance: number;
    }
  | { t: 'sitFailed'; table: string; ticket: number; agentId: string; code: SitFailure }
  /** A stay ended and is cashed out (committed); `stack` went back to `balance`. */
  | {
      t: 'left';
      table: string;
      poolId: string;
      agentId: string;
      seat: number;
      reason: LeaveReason;
      /** Its player did not come back, or missed too many hands or decisions. */
      absent: boolean;
      /** Its table is broken, and tells it nothing. */
      untold?: true;
      stack: number;
      balance: number;
    }
  | { t: 'closed'; table: string }
  | { t: 'summary'; summary: TableSummary }
  /** The thread that holds this socket (NO_SOCKET: any) is to read all that has arrived. Answer: heard. */
  | { t: 'round'; table: string; socket: SocketId; round: number }
  | { t: 'state'; ticket: number; json: string | null }
  | { t: 'seat'; ticket: number; seat: { seat: number; stack: number; leaving: boolean } | null }
  /** Something of a client for a table that this shard does not hold; `attach` and `rebuy` also where it has no seat there. */
  | {
      t: 'unknownTable';
      table: string;
      socket: SocketId;
      of: 'attach' | 'resync' | 'act' | 'leave' | 'rebuy' | 'nonce' | 'invalid';
      /** The id of a rebuy. */
      requestId?: string | null;
    }
  /** A client's message came while too many wait for the table, or for the client's buy-in. */
  | { t: 'dropped'; socket: SocketId }
  /** Something went wrong for an agent at a table. */
  | { t: 'mishap'; agentId: string; mishap: Mishap }
  /** Answer to drain: no hand is running any more. */
  | { t: 'drained' }
  /** Answer to ping, now and then with what was counted. */
  | { t: 'pong'; at: number; stats: ShardStats | null }
  /** The database has been unreachable since this time (epoch ms), or null: it is back. */
  | { t: 'database'; downSince: number | null }
  /** The epoch was taken over by another incarnation: this one must not write any more and ends. */
  | { t: 'fenced' }
  | { t: 'log'; level: 'info' | 'warn' | 'error'; message: string; detail: Record<string, unknown> };

/** Messages about one table, but for the one that opens it. */
export type TableMessage = Exclude<Extract<ToShard, { table: string }>, { t: 'open' }>;
