import type { FromFront, ToFront } from './front-messages.js';
import type { ResumedSocket } from '../gateway/ports.js';
import type { FromShard, ToShard } from '../shard/messages.js';
import type { SocketId } from '../table/api.js';
import type { NodeId } from './peer.js';

/**
 * The closed catalogue of messages between nodes: of each with the one that leads (its lobby and its features), and of
 * each with each, whose sockets play at the other's tables. What one turn of the event loop says to several is read in
 * that order by all of them (NODES.md, "Order between nodes").
 */

/** From the leader. */
export type ToMember =
  | ToFront
  /** It takes what the node's sockets say. */
  | { t: 'begin' }
  /** One message more of this socket that is not asked again of the next leader is answered, or on its way to its table. */
  | { t: 'handled'; socket: SocketId }
  /** A node whose sockets have this place; it is to be spoken to. */
  | { t: 'member'; node: NodeId; place: number }
  /** That node has ended: nothing that it said and says is read any more. To that one itself: the last that it hears. */
  | { t: 'ended'; node: NodeId }
  /** The shard is that node's. */
  | { t: 'shardAt'; shard: number; node: NodeId }
  /** A shard plays (again). */
  | { t: 'shardUp'; shard: number }
  /** The table is another shard's, and knows of nobody who watches it unless it says so (`anew`). */
  | { t: 'moved'; table: string; shard: number; anew: boolean }
  /** What sockets say to this table is to be held, until it has moved. Answer: holds. */
  | { t: 'hold'; table: string }
  /** It leads no more: another will. */
  | { t: 'resigned' }
  /** All nodes stop: hands are played to their end where they are, and sockets stay open meanwhile. Answer: finished. */
  | { t: 'closing' }
  /** No hand is in play anywhere: sockets may be closed. */
  | { t: 'parting' }
  | ToGuest;

/** A shard of a node: its number, and the epoch under which it has that. */
export interface LentShard {
  shard: number;
  epoch: number;
}
/** How far who says it has read a line. */
export type Heard = LentShard & { heard: number };
/** One thing over a line (line.ts). */
type Said<M> = Heard & { t: 'said'; number: number; message: M };

/** To a node that has shards. */
export type ToGuest =
  /** Start a shard with this number, under this epoch. `now`: the leader's clock, epoch ms. */
  | ({ t: 'borrow'; now: number } & LentShard)
  /** The link stands again: so far it was read, the rest is said again. `anew`: the leader is another, and the line begins. */
  | ({ t: 'goOn'; anew: boolean } & Heard)
  | Said<ToShard>
  | Beat
  | Over;

/** From a node that has shards. */
export type FromGuest =
  /**
   * `lent`: all that it has, whenever its link stands anew, or it may speak again. `more`: so many it could have besides.
   * `leaving`: no new tables there, it is about to give all back.
   */
  { t: 'lend'; lent: Heard[] | null; more: number; leaving: boolean } | Said<FromShard> | Beat | Over;

/** It lives, and has read these lines so far. */
type Beat = { t: 'beat'; lines: Heard[] };
/** The line is over, and so is the shard: its tables are others'. */
type Over = { t: 'over' } & LentShard;

/** To the leader, which is greeted with hello once the link to it stands. */
export type FromMember =
  | FromFront
  /** `release`: nodes of one release understand each other. `place`: of its sockets. */
  | { t: 'hello'; release: string; place: number }
  /** After begin: sockets that are open since before. */
  | { t: 'resumed'; sockets: ResumedSocket[] }
  /** All of them are said. */
  | { t: 'met' }
  | { t: 'holds'; table: string }
  /** What a socket says to a shard that its node does not know, or whose node does not. */
  | ToShardOf
  /** After closing: no hand is in play there, and all are stored. */
  | { t: 'finished' }
  /** It has ended its sockets and shards. */
  | { t: 'bye' }
  | FromGuest;

/** Of a socket, to the node that has the shard. */
type ToShardOf = { t: 'toShard'; shard: number; message: ToShard };

/** Between any two. */
export type BetweenMembers =
  | ToShardOf
  /** Frames of our shards to your sockets are lost. */
  | { t: 'torn' };

export type NodeMessage = ToMember | FromMember | BetweenMembers;

const KINDS: Readonly<Record<NodeMessage['t'], true>> = {
  ...{ welcome: true, refuse: true, watch: true, send: true, route: true, close: true, untold: true, round: true },
  ...{ answer: true, chunk: true, broken: true, begin: true, handled: true, shardUp: true, moved: true, hold: true },
  ...{ member: true, ended: true, shardAt: true, resigned: true, closing: true, parting: true },
  ...{ opened: true, watching: true, message: true, mishap: true, closed: true },
  ...{ admit: true, request: true, pull: true, gone: true },
  ...{ hello: true, resumed: true, met: true, holds: true, toShard: true, torn: true, finished: true, bye: true },
  ...{ borrow: true, lend: true, goOn: true, said: true, beat: true, over: true },
};

/** Whether it is of a kind that nodes send each other: who may write to their channels is one of them. */
export const isNodeMessage = (value: unknown): value is NodeMessage =>
  typeof value === 'object' &&
  value !== null &&
  't' in value &&
  typeof value.t === 'string' &&
  Object.hasOwn(KINDS, value.t);
