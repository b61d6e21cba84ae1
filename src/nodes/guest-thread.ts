import type { Log } from '../gateway/transport.js';
import type { ShardListener } from '../shard/main/options.js';
import type { ShardStats, ToShard } from '../shard/messages.js';
import type { LentShard } from './node-messages.js';

/** The thread of a shard of this node. */
export interface GuestThread {
  send(message: ToShard): void;
  /** Resolves once it plays; rejects when it never will. */
  start(listener: ShardListener): Promise<void>;
  drain(ms: number): Promise<boolean>;
  stop(): Promise<void>;
  /** Its latest report, null before the first. */
  readonly stats: ShardStats | null;
}

export interface GuestShardsOptions {
  /** How many there are, once a leader has given them numbers. */
  count: number;
  /** `now`: the leader's clock. */
  thread: (shard: LentShard, now: number) => GuestThread;
  /** The node's lease has not run out: else nothing may be said, and no hand begins. */
  holds: () => boolean;
  /** For how many ms other nodes cannot be heard, and for which place that does not matter: its sockets are ours. */
  deafMs: () => number;
  place: number;
  /** Frames of a shard for sockets, wherever these are. `used` takes the buffer back once it is read. */
  frames: (bytes: ArrayBuffer, index: Uint32Array, used: (bytes: ArrayBuffer) => void) => void;
  /** The lease holds: what waits for it may leave. */
  regained: () => void;
  /** Hears what the threads count. */
  counts: {
    shard(shard: number, stats: ShardStats): void;
    /** Its thread ends: one that has the number later counts from zero. */
    shardEnded(shard: number): void;
  };
  log: Log;
}
