import type { NodeId } from './peer.js';

/** One post, and whom it is for. */
export interface Outgoing {
  readonly to: NodeId;
  readonly post: Uint8Array;
}

/**
 * What brings posts to nodes. It may lose them, but brings what it brings in one order for all nodes: whoever reads a
 * post has read what is for it of all that was published before, by whomever. Where that ends it says so (`lost`), and
 * another order begins. (Links hold by themselves against posts that are lost, repeated, delayed and out of order; only
 * what holds between three nodes needs the one order. NODES.md, "Order between nodes".)
 */
export interface Carrier {
  /** Posts get through both ways, as far as is known. */
  readonly up: boolean;
  /** For how many ms nothing has come over it, its own echo included. */
  readonly deafMs: number;
  /** Resolves once it is up. Rejects where it never can be. */
  begin(listener: CarrierListener): Promise<void>;
  /**
   * Publishes these posts at one point of the order: all of them, or none. Their bytes are copied at once. Resolves to
   * how many got each: 0 is a post that is lost. Rejects where nobody knows, and then the order has ended.
   */
  publish(posts: readonly Outgoing[]): Promise<readonly number[]>;
  close(): Promise<void>;
}

/** Never called from within a call to the carrier. */
export interface CarrierListener {
  post(bytes: Buffer): void;
  /** It is up again, or for the first time. */
  up(): void;
  /** The order has ended: anything that was under way may be lost, and what comes from now on belongs to another one. */
  lost(): void;
}
