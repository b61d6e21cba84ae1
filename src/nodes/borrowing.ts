import type { ShardLink } from '../gateway/ports.js';
import type { Log } from '../gateway/transport.js';
import type { DealtTable, InheritedShards } from '../shard/main/lending.js';
import type { ShardListener } from '../shard/main/options.js';
import type { TableOpening, TableReport } from '../table/api.js';
import type { NodeMessage } from './node-messages.js';
import type { NodeId, Peer } from './peer.js';

/** What the leader's lobby hears of shards, and is asked. */
export interface BorrowOptions {
  /** By number; numbers come and go. */
  links: ShardLink[];
  /** Hears of them as of those of a process alone. */
  listener: ShardListener;
  lobby: {
    /** Its number is new: until it is heard of it is down. */
    down(shard: number): void;
    /** It will go: no newcomers. */
    retires(shard: number): void;
    /** It played for the leader before, and does so on: what is there. */
    inherited(shard: number, tables: readonly TableReport[]): void;
    /** What is stored of it: it opens what nobody has, since it was lost on its way there. */
    openMissing(shard: number, stored: readonly TableOpening[]): void;
    /** It lives and has not said yet what is there; what is stored of it. */
    unheard(shard: number, stored: readonly TableOpening[]): void;
    /** It is lost for good, and others have its tables. */
    dealtOut(shard: number, tables: readonly DealtTable[]): void;
    players(shard: number): number;
  };
}

export interface RemoteShardsOptions extends BorrowOptions {
  /** The time that borrowed shards go by, epoch ms. */
  now: () => number;
  /** What is stored of them (lending.ts), and whether a node that is not heard has ended, which never rejects. */
  store: {
    lend(shard: number, node: NodeId): Promise<number | null>;
    tables(shard: number): Promise<TableOpening[]>;
    dealOut(shard: number, players: ReadonlyMap<number, number>): Promise<DealtTable[]>;
    hasEnded: (node: NodeId) => Promise<boolean>;
  };
  /** Those of nodes that live, when this one took the lead; and those whose tables are nobody's. */
  inherits: InheritedShards;
  peer: (node: NodeId) => Peer<NodeMessage>;
  /** Tells all nodes whose a shard is, and that a node has ended. */
  shardAt: (shard: number, node: NodeId) => void;
  ended: (node: NodeId) => void;
  log: Log;
}
