/** The orders to the process of spectators, and its answers. */
export type WatchOrder =
  | { order: 'watch'; host: string; port: number; table: string; count: number }
  | { order: 'leave' }
  | { order: 'count' };

export interface WatchAnswer {
  /** Sockets that are still open. */
  open: number;
  /** Read so far. */
  bytes: number;
}
