import { Gateway } from '../gateway/gateway.js';
import type { ShardLink, Sockets } from '../gateway/ports.js';
import { recoverShard, takeShards } from '../shard/main/boot.js';
import { createShardPool, type ShardListener } from '../shard/main/pool.js';
import type { ShardStats } from '../shard/messages.js';
import { clockOrigin } from '../shard/steady-clock.js';
import { isConnectionError } from '../store/database.js';
import { Displaced } from '../store/node/leadership.js';
import type { Ground, RulesOf } from './ground.js';

/** Threads of shards of this process, for its figures and its health. */
export interface ShardThreads {
  readonly numbers: readonly number[];
  stats(shard: number): ShardStats | null;
  isReady(shard: number): boolean;
}

/** Sockets with a gateway before them, and the shard threads where the tables are. */
export interface Game {
  gateway: Gateway;
  sockets: Sockets;
  /** By shard number. */
  links: readonly ShardLink[];
  /** The stored number of each shard. */
  numbers: readonly number[];
  threads: ShardThreads;
  /** Frames go straight from a shard to the sockets. */
  frames: Pick<ShardListener, 'onFrames'>;
  /** A shard plays (again). */
  shardUp(shard: number): void;
  start(listener: ShardListener): Promise<void>;
  /** False: hands were still running after `ms`. */
  drain(ms: number): Promise<boolean>;
  stop(): Promise<void>;
}

/** Takes the stored tables for this process, and makes ready what plays them. */
export async function buildGame({ config, log, store, fatal, cluster }: Ground, rulesOf: RulesOf): Promise<Game> {
  const { sql, background } = store;
  const { id: nodeId } = store.node;
  const numbers = await takeShards(background, { nodeId, threads: config.THREADS, homes: cluster !== null });
  const pool = createShardPool({
    threads: config.THREADS,
    clockOrigin: clockOrigin(store.node.clock.now()),
    settings: {
      database: store.address,
      patientTables: config.COALESCE_MS > 0 ? config.COALESCE_TABLES : Infinity,
      deepChecks: config.DEEP_CHECKS === 'on',
    },
    recover: (shard) => recoverShard(sql, nodeId, numbers[shard]!, rulesOf),
    onDisplaced: fatal,
    log: (level, message, detail) => log[level](detail, message),
  });
  const gateway = new Gateway(config, {
    // Both pass: a client that asks again is answered.
    isAway: (error) => isConnectionError(error) || error instanceof Displaced,
    log,
    installation: store.installation,
  });
  const { hub } = gateway;
  return {
    gateway,
    sockets: gateway.sockets,
    links: pool.links,
    numbers,
    threads: {
      numbers: [...pool.links.keys()],
      stats: (shard) => pool.stats(shard),
      isReady: (shard) => pool.isReady(shard),
    },
    frames: { onFrames: (_shard, bytes, index, used) => hub.forward(bytes, index, used) },
    shardUp: (shard) => hub.shardUp(shard),
    start: (listener) => pool.start(listener),
    drain: (ms) => pool.drain(ms),
    stop: () => pool.stop(),
  };
}
