import { Gateway } from '../gateway/gateway.js';
import type { ShardLink } from '../gateway/ports.js';
import { isConnectionError } from '../store/database.js';
import { Displaced } from '../store/node/leadership.js';
import type { Cluster, Ground, Stage } from './ground.js';

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
    drain: (ms) => cluster.drain(ms),
    stop: () => cluster.stop(),
  };
}
