import type { Answerer } from '../gateway/fronts/forward.js';
import type { Registry, ShardLink, Sockets } from '../gateway/ports.js';
import type { SocketHub } from '../gateway/sockets.js';
import type { FrontGauges, Metrics } from '../metrics/index.js';
import type { Moves } from '../lobby/moves.js';
import type { Lobby, ShardThreads, StageShards } from './stage.js';

/** What the leader of several nodes has in the place of sockets and shards of its own (node.ts builds it). */
export interface Cluster {
  /** The sockets of this process' node, and the port that it listens on. */
  hub: SocketHub;
  port: number;
  /** All sockets, wherever they are. `links`: to all shards, by number; they come and go. */
  sockets(links: readonly ShardLink[]): Sockets;
  /** The shards of this process' node, for those who look. */
  threads: ShardThreads;
  /** Takes the lead of all shards. Resolves once they play. */
  lead(links: ShardLink[], shards: StageShards): Promise<void>;
  /** Tables move between shards, wherever these are. */
  moves(lobby: Lobby): Moves | null;
  /** A shard plays (again). */
  shardUp(shard: number): void;
  /** Sockets are served from now on. Resolves once all nodes have said what they have. */
  serve(registry: Registry, answerer: Answerer): Promise<void>;
  /** Serves nobody any more; shards and sockets live on. */
  stop(): Promise<void>;
  /** Whether this node has all that it should have. */
  isReady(): boolean;
  /** What this process counts, whoever leads; and what a leader counts besides. */
  metrics: Metrics;
  counted(gauges: () => Pick<FrontGauges, 'lobby' | 'tables' | 'shardsWithoutDatabase' | 'emailsWaiting'>): void;
}
