import type { FromFront, ToFront } from '../gateway/fronts/front-messages.js';
import type { FromShard, ToShard } from '../shard/messages.js';
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
  | { t: 'shardUp'; shard: number }
  /** The table is another shard's, and knows of nobody who watches it. */
  | { t: 'moved'; table: string; shard: number }
  | ToGuest;

/** A shard that is lent: its number, and the epoch under which it was lent. */
export interface LentShard {
  shard: number;
  epoch: number;
}
/** How far who says it has read a line. */
export type Heard = LentShard & { heard: number };
/** One thing over a line (line.ts). */
type Said<M> = Heard & { t: 'said'; number: number; message: M };

/** To a node that lends shards. */
export type ToGuest =
  /** Start a shard with this number, under this epoch. `now`: the leader's clock, epoch ms. */
  | ({ t: 'borrow'; now: number } & LentShard)
  /** The link stands again: so far it was read, the rest is said again. */
  | ({ t: 'goOn' } & Heard)
  | Said<ToShard>
  | Beat
  | Over;

/** From a node that lends shards. */
export type FromGuest =
  /**
   * `lent`: all that it has of the leader's, whenever its link stands anew, or it may speak again. `more`: so many it would
   * lend besides. `leaving`: no new tables there, it is about to give all back.
   */
  | { t: 'lend'; lent: Heard[] | null; more: number; leaving: boolean }
  /** Null: the batches of frames that came before it since the last one. */
  | Said<FromShard | null>
  | Beat
  | Over;

/** It lives, and has read these lines so far. */
type Beat = { t: 'beat'; lines: Heard[] };
/** The line is over, and so is the shard: its tables are others'. */
type Over = { t: 'over' } & LentShard;

/** From a front node, which begins with hello once its link stands. */
export type FromFrontNode =
  | Exclude<FromFront, { t: 'serving' | 'pong' | 'log' | 'failing' }>
  /** `release`: nodes of one release understand each other. */
  | { t: 'hello'; release: string }
  | { t: 'toShard'; shard: number; message: ToShard }
  /** It has ended its sockets and shards, and serves this leader no more. */
  | { t: 'bye' }
  | FromGuest;

export type NodeMessage = ToFrontNode | FromFrontNode;

const KINDS: Readonly<Record<NodeMessage['t'], true>> = {
  ...{ welcome: true, refuse: true, watch: true, send: true, route: true, close: true, end: true },
  ...{ answer: true, chunk: true, broken: true, begin: true, shardUp: true },
  ...{ opened: true, watching: true, message: true, mishap: true, closed: true },
  ...{ admit: true, request: true, pull: true, gone: true, hello: true, toShard: true, bye: true },
  ...{ moved: true, borrow: true, lend: true, goOn: true, said: true, beat: true, over: true },
};

/** Whether it is of a kind that nodes send each other: who may write to their channels is one of them. */
export const isNodeMessage = (value: unknown): value is NodeMessage =>
  typeof value === 'object' &&
  value !== null &&
  't' in value &&
  typeof value.t === 'string' &&
  Object.hasOwn(KINDS, value.t);
