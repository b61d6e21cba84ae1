import type { NodeId } from './peer.js';

/** What brings posts to nodes: it may lose, repeat, delay and reorder them. */
export interface Carrier {
  /** Posts get through both ways, as far as is known. */
  readonly up: boolean;
  /** For how many ms nothing has come over it, its own echo included. */
  readonly deafMs: number;
  /** Resolves once it is up. Rejects where it never can be. */
  begin(listener: CarrierListener): Promise<void>;
  /** Resolves to how many got it: 0 is a post that is lost. Rejects where nobody knows. */
  publish(to: NodeId, post: Buffer): Promise<number>;
  close(): Promise<void>;
}

export interface CarrierListener {
  post(bytes: Buffer): void;
  /** It is up again, or for the first time. */
  up(): void;
}
