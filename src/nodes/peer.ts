import type { FrameBatch } from '../table/outbox.js';

/** One life of one process: an id that is never used again (nodes.node_id). */
export type NodeId = string;

/**
 * One other node, and the link to it. A link keeps order: what was sent, messages and frames alike, is read in the order
 * in which it was sent, each exactly once, up to where the link breaks. Nothing is ever left out of the middle.
 *
 * Links keep order among each other as well: what a node says because of something that it has read is read after that,
 * and after all that was said before that, by whoever reads both; or it is read after `broken` of the link that lost it.
 */
export interface Peer<M> {
  readonly id: NodeId;
  /** The link stands, as far as is known here. While it does not, what is sent is dropped. */
  readonly up: boolean;
  /**
   * Packed at once: the message may be changed afterwards. Leaves with this turn of the event loop, or, while others are
   * under way, with the next; what was sent before leaves before it or along with it, for whichever peer.
   */
  send(message: M): void;
  /**
   * Copied at once: its buffer may be used again. `mayWait`: nobody can do anything because of these frames but read them.
   * They may leave later, though never after what is sent to this peer after them, nor after a message to any.
   */
  frames(batch: FrameBatch, mayWait?: boolean): void;
  /** Posts now what waits for the end of the turn, for whichever peer: nothing that was sent before it comes after it. */
  flush(): void;
  /**
   * Gives the link up, where more was read over it than can be kept: nothing more of it is read, `broken` tells of its end
   * later, and the next one is made at once.
   */
  break(): void;
  /** That node has ended: there will be no link to it any more, and nothing more is read from it or said of it. */
  end(): void;
}

/**
 * Why a link broke. silent: nothing was heard for as long as a lease; gap: a post is missing; anew: the other side broke
 * it, and has begun another; unsent: a post reached nobody; full: more waits to be read than may, or to be kept; carrier: what carries
 * posts was lost, or nobody knows whether some came through, so all links of this node break at once; malformed: a field of a message has a wrong type.
 */
export type BreakReason = 'silent' | 'gap' | 'anew' | 'unsent' | 'full' | 'carrier' | 'malformed';

/** What the owner of a bus hears; never from within a call of its own to the bus or a peer. */
export interface PeerEvents<M> {
  /** A link stands: new, or again. What is sent from now on is the first that the other side reads over it. */
  healed(peer: Peer<M>): void;
  /**
   * The link is gone with all that was under way, either way; what was read last may be anything. Another is being made
   * already, and `healed` tells of it: neither side reads over it before both have heard of this one's end.
   */
  broken(peer: Peer<M>, why: BreakReason): void;
  message(peer: Peer<M>, message: M): void;
  /** The index is the reader's own; the buffer holds other things besides, and changes no more. */
  frames(peer: Peer<M>, batch: FrameBatch): void;
  /** A node asks for a link that nobody here has asked for: `peer(id)` grants it. It asks again and again. */
  knocked(id: NodeId): void;
}

/** Since the bus began. */
export type BusCounts = Record<'postsSent' | 'postsRead' | 'bytesSent' | 'bytesRead', number> & {
  /** Messages and batches that were sent while the link was not up. */
  dropped: number;
  /** Posts that came again, of links that are over, that cannot be read, and that come from nodes without a link. */
  again: number;
  late: number;
  unreadable: number;
  strange: number;
  healed: number;
  broken: Record<BreakReason, number>;
};

/** What nodes say to each other. It may lose, repeat and delay what it carries; whoever uses it never sees that. */
export interface PeerBus<M> {
  readonly id: NodeId;
  /** It reaches the others, as far as is known; health asks for it. */
  readonly up: boolean;
  /** For how many ms nothing has come over it, its own echo included. */
  readonly deafMs: number;
  readonly counts: Readonly<BusCounts>;
  /** Resolves once this node can be reached. Rejects where that can never be: the message says why. */
  begin(events: PeerEvents<M>): Promise<void>;
  /** The same object for the same node. The first call begins a link, which the other side must want as well. */
  peer(id: NodeId): Peer<M>;
  close(): Promise<void>;
}
