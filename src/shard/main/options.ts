import type { TableOpening } from '../../table/api.js';
import type { FromShard } from '../messages.js';
import type { Fence } from '../commit/queries.js';
import type { ShardSettings } from '../task.js';

/** The start of a thread. */
export interface Recovery {
  /** The stored number of the shard, and its new epoch. */
  fence: Fence;
  tables: TableOpening[];
}

/** The messages of a shard for the rest of the house. The pool keeps the others. */
export type ShardReport = Exclude<FromShard, { t: 'ready' | 'pong' | 'log' | 'drained' | 'fenced' }>;

/** One line for the log of the process. */
export type ShardLog = (level: 'info' | 'warn' | 'error', message: string, detail: Record<string, unknown>) => void;

export interface ShardPoolOptions {
  /** Shards, each a thread of its own, numbered from 0. Each has a stored number besides, which `recover` tells. */
  threads: number;
  /** The origin of the clock that they share (steady-clock.ts). Without it each uses the machine's clock. */
  clockOrigin?: number;
  /** `database` must be given; the rest has defaults. */
  settings: Pick<ShardSettings, 'database'> & Partial<ShardSettings>;
  /**
   * Raises the shard's epoch in the database and returns it with the tables stored there, which the pool opens before
   * anything else is sent. Called before every start of a thread; repeated until it resolves, or throws Displaced.
   */
  recover: (shard: number) => Promise<Recovery>;
  /** Another process has the shards: none of ours starts again. Called once a shard. */
  onDisplaced: (error: Error) => void;
  log: ShardLog;
  /** The thread's module; another one in tests. */
  entry?: URL;
  heartbeat?: Partial<HeartbeatSettings>;
}

/** The receiver of a shard's reports, from the start on. */
export interface ShardListener {
  /**
   * Finished frames, before the messages of the same batch. The receiver may give `bytes` back once it needs them no
   * more.
   */
  onFrames: (shard: number, bytes: ArrayBuffer, index: Uint32Array, used: (bytes: ArrayBuffer) => void) => void;
  onMessage: (shard: number, message: ShardReport) => void;
  /**
   * The shard's thread died or hung. Its tables stand still, hands in progress are void, and of what it was asked
   * nothing more will be answered. Later messages are held until it is up again.
   */
  onLost?: (shard: number, reason: string) => void;
  /**
   * The shard is up, at the start or again, and is about to open these stored tables, every player disconnected; an
   * `opened` follows for each. A seat of this shard that is not among them is gone.
   */
  onReady?: (shard: number, tables: readonly TableOpening[]) => void;
}

export interface HeartbeatSettings {
  pingMs: number;
  /** A thread that says nothing for so long is hung. */
  silenceMs: number;
  /** …and one that is not ready after so long never will be. */
  startMs: number;
}

export const HEARTBEAT: HeartbeatSettings = { pingMs: 100, silenceMs: 1500, startMs: 15_000 };
