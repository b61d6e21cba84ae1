import { Gateway } from '../gateway/gateway.js';
import type { ShardLink, Sockets } from '../gateway/ports.js';
import type { createLobby } from '../lobby/index.js';
import type { Moves } from '../lobby/moves.js';
import type { PoolRules } from '../lobby/index.js';
import type { ShardListener } from '../shard/main/pool.js';
import type { ShardStats } from '../shard/messages.js';
import { isConnectionError } from '../store/database.js';
import { Displaced } from '../store/node/leadership.js';
import type { Cluster } from './cluster-seam.js';
import type { Ground } from './core.js';

export type Lobby = ReturnType<typeof createLobby>;
export type RulesOf = (poolId: string) => PoolRules;

/** Threads of shards of this process, for those who look. */
export interface ShardThreads {
  readonly numbers: readonly number[];
  stats(shard: number): ShardStats | null;
  isReady(shard: number): boolean;
}

/** What shards are started with. */
export interface StageShards {
  listener: ShardListener;
  lobby: Lobby['shards'];
  rulesOf: RulesOf;
}

/** Where the game takes place: shards, and sockets with a gateway before them. Of this process alone, or of nodes. */
export interface Stage {
  gateway: Gateway;
  /** As the lobby sees all of them. */
  sockets: Sockets;
  /** By number; those of nodes come and go. */
  links: readonly ShardLink[];
  threads: ShardThreads;
  /** Frames of shards for own sockets, where the main thread hears them. */
  frames: Pick<ShardListener, 'onFrames' | 'fronts'>;
  shardUp(shard: number): void;
  moves(lobby: Lobby): Moves | null;
  start(shards: StageShards): Promise<void>;
  /** False: hands were still running after `ms`. */
  drain(ms: number): Promise<boolean>;
  stop(): Promise<void>;
}

/** What a gateway has in any case. */
export const gatewayOptions = ({ log, store }: Pick<Ground, 'log' | 'store'>) => ({
  // Where another process leads, as where the database is away: soon somebody answers again.
  isAway: (error: unknown) => isConnectionError(error) || error instanceof Displaced,
  log,
  installation: store.installation,
});

/** Sockets and shards are those of nodes: what this process has of them outlives its lead. */
export function clusterStage(ground: Ground, cluster: Cluster): Stage {
  const { hub, port } = cluster;
  const links: ShardLink[] = [];
  return {
    gateway: new Gateway(ground.config, { ...gatewayOptions(ground), elsewhere: { hub, port } }),
    sockets: cluster.sockets(links),
    links,
    threads: cluster.threads,
    frames: {
      onFrames: () => {
        throw new Error('frames of nodes go past the leader');
      },
    },
    shardUp: (shard) => cluster.shardUp(shard),
    moves: (lobby) => cluster.moves(lobby),
    start: (shards) => cluster.lead(links, shards),
    // They play on: whoever leads next has them.
    drain: async () => true,
    stop: () => cluster.stop(),
  };
}
