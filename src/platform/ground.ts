import type { Answerer } from '../gateway/ports.js';
import type { Gateway } from '../gateway/gateway.js';
import type { Registry, ShardLink, Sockets } from '../gateway/ports.js';
import type { Site } from '../gateway/pages/site.js';
import type { SocketHub } from '../gateway/sockets.js';
import type { createLobby, PoolRules } from '../lobby/index.js';
import type { Moves } from '../lobby/moves.js';
import type { FrontGauges, Metrics } from '../metrics/index.js';
import type { Logger } from '../ops/log.js';
import type { Config } from '../ops/settings.js';
import type { ShardListener } from '../shard/main/pool.js';
import type { ShardStats } from '../shard/messages.js';
import type { Store } from '../store/store.js';

/** What the platform is built with, and on: the words in which core, features and nodes speak of it. */

/** What everything is built with. */
export interface Ground {
  config: Config;
  log: Logger;
  store: Store;
  /** The pages for people; null where they are switched off. */
  site: Site | null;
  /** The platform cannot go on. */
  fatal: (error: Error) => void;
  /** Where sockets and shards are those of nodes, this process among them; null where it is alone. */
  cluster: Cluster | null;
}

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
  frames: Pick<ShardListener, 'onFrames'>;
  shardUp(shard: number): void;
  moves(lobby: Lobby): Moves | null;
  start(shards: StageShards): Promise<void>;
  /** False: hands were still running after `ms`. */
  drain(ms: number): Promise<boolean>;
  stop(): Promise<void>;
}

/** What the leader of several nodes has in the place of sockets and shards of its own (node.ts builds it). */
export interface Cluster {
  /** The sockets of this process' node, and the port that it listens on. */
  hub: SocketHub;
  port: number;
  /** All sockets, wherever they are. `links`: to all shards, by number; they come and go. */
  sockets(links: readonly ShardLink[]): Sockets;
  /** The shards of this process' node, for those who look. */
  threads: ShardThreads;
  /** Whom nodes speak to from `lead` on. */
  serves(registry: Registry, answerer: Answerer): void;
  /**
   * Takes the lead of all shards, and hears of all sockets from now on. Resolves once it is known what is at those shards
   * that live, and the tables of all others are theirs.
   */
  lead(links: ShardLink[], shards: StageShards): Promise<void>;
  /** Resolves once all nodes have said what sockets they have. */
  met(): Promise<void>;
  /** Tables move between shards, wherever these are. */
  moves(lobby: Lobby): Moves | null;
  /** A shard plays (again). */
  shardUp(shard: number): void;
  /**
   * Where there is no other node hands finish, as in a process alone; else nothing: others have the tables soon. False: hands
   * were still running after `ms`.
   */
  drain(ms: number): Promise<boolean>;
  /** Sockets are served no more. */
  quit(): void;
  /** Nothing of the lead goes on; shards and sockets live on. */
  stop(): Promise<void>;
  /** Whether this node has all that it should have. */
  isReady(): boolean;
  /** What this process counts, whoever leads; and what a leader counts besides. */
  metrics: Metrics;
  counted(gauges: () => Pick<FrontGauges, 'lobby' | 'tables' | 'shardsWithoutDatabase' | 'emailsWaiting'>): void;
}
