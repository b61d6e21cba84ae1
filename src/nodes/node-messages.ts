import type { FromFront, ToFront } from '../gateway/fronts/front-messages.js';
import type { ToShard } from '../shard/messages.js';
import type { SocketId } from '../table/api.js';

/**
 * The closed catalogue of messages between the leader and a node that holds sockets. All goes over the one link of the
 * two, and the leader's main thread: what its lobby says, frames of all shards, and what players say to their tables.
 */

/** To a front node: what a front's thread hears, but for what concerns threads. */
export type ToFrontNode =
  | Exclude<ToFront, { t: 'lost' | 'ping' | 'removed' }>
  /** Answer to hello: it may take sockets, whose ids begin here and have this place. */
  | { t: 'begin'; firstId: SocketId }
  /** A shard plays (again). */
  | { t: 'shardUp'; shard: number };

/** From a front node, which begins with hello once its link stands. */
export type FromFrontNode =
  | Exclude<FromFront, { t: 'serving' | 'pong' | 'log' | 'failing' }>
  /** `release`: nodes of one release understand each other. */
  | { t: 'hello'; release: string }
  | { t: 'toShard'; shard: number; message: ToShard }
  /** It has ended its sockets, and serves this leader no more. */
  | { t: 'bye' };

export type NodeMessage = ToFrontNode | FromFrontNode;

const KINDS: Readonly<Record<NodeMessage['t'], true>> = {
  ...{ welcome: true, refuse: true, watch: true, send: true, route: true, close: true, end: true },
  ...{ answer: true, chunk: true, broken: true, begin: true, shardUp: true },
  ...{ opened: true, watching: true, message: true, mishap: true, closed: true },
  ...{ admit: true, request: true, pull: true, gone: true, hello: true, toShard: true, bye: true },
};

/** Whether it is of a kind that nodes send each other: who may write to their channels is one of them. */
export const isNodeMessage = (value: unknown): value is NodeMessage =>
  typeof value === 'object' &&
  value !== null &&
  't' in value &&
  typeof value.t === 'string' &&
  Object.hasOwn(KINDS, value.t);
