import type { SessionStats } from './session.js';

export interface SocketStats extends SessionStats {
  /** The sockets of players and of spectators. */
  sockets: number;
  watchers: number;
  /** Those of them with a session at another node. */
  relayedOut: number;
  /** Sessions of sockets at other nodes, which are not among these. */
  relayedIn: number;
  /** Time of the turns of the event loop in which spectators were written to, in ms. */
  watchMs: number;
  /** Frames of shards forwarded, and their bytes. */
  frames: number;
  frameBytes: number;
}

/** The statistics of a front that has just begun. */
export const zeroStats = (): SocketStats => ({
  sockets: 0,
  watchers: 0,
  relayedOut: 0,
  relayedIn: 0,
  watchMs: 0,
  opened: 0,
  messages: 0,
  rateLimited: 0,
  invalid: 0,
  slowReaders: 0,
  frames: 0,
  frameBytes: 0,
});
