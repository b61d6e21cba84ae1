import type { TableOpening } from '../../table/api.js';
import type { FromShard } from '../messages.js';
import type { Fence } from '../commit/queries.js';
import type { ShardSettings } from '../task.js';

/** What a thread starts from. */
export interface Recovery {
  /** The stored number of the shard, and its new epoch. */
  fence: Fence;
  tables: TableOpening[];
}

/** What the rest of the house hears of a shard; the pool keeps the other messages to itself. */
export type ShardReport = Exclude<FromShard, { t: 'ready' | 'pong' | 'log' | 'drained' | 'fenced' }>;

/** One line for the log of the process. */
export type ShardLog = (level: 'info' | 'warn' | 'error', message: string, detail: Record<string, unknown>) => void;

export interface ShardPoolOptions {
  /** Shards, each a thread of its own, numbered from 0. Each has a stored number besides, which `recover` tells. */
  threads: number;
  /** Of the clock that they share (steady-clock.ts); this machine's own without. */
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

/** Who hears of the shards, from the moment they start. */
export interface ShardListener {
  /** Finished frames, before the messages of the same post. Whoever is done with `bytes` for good may give it back. */
  onFrames: (shard: number, bytes: ArrayBuffer, index: Uint32Array, used: (bytes: ArrayBuffer) => void) => void;
  onMessage: (shard: number, message: ShardReport) => void;
  /**
   * The shard's thread died or hung. Its tables stand still, hands in progress are void, and of what it was asked
   * nothing more will be answered. What is sent from now on is held until it is up again.
   */
  onLost?: (shard: number, reason: string) => void;
  /**
   * The shard is up, at the start or again, and is about to open these stored tables, every player disconnected; an
   * `opened` follows for each. Whoever was taken to sit at this shard and is not in here does not sit any more.
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
