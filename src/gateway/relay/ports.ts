import type { SocketEnd } from '../../protocol/mishap.js';
import type { HandOver, Hello, WatchViewer } from '../ports.js';
import type { SocketListener, WireSocket } from '../transport.js';

/**
 * A relayed socket: its client is connected to one node (the edge), its session is at another (the home). These are the
 * two ends of the connection between them, as the gateway sees it.
 */

/** The socket's data for the home when a relay opens. `hello` has no key. */
export type RelayOpening =
  { kind: 'play'; hello: Hello; lean: boolean } | { kind: 'watch'; tableId: string; ip: string; viewer: WatchViewer };

/** A message that waits for its session. Null: there were too many, and the client is to be answered so. */
export type EarlyMessage = Buffer | null;

/** The edge's end of a relay. */
export interface Relay {
  /** Messages that were counted at the edge. */
  early(messages: readonly EarlyMessage[]): void;
  /** The home counts it. Its bytes are not looked at again after the call. */
  message(data: Buffer): void;
  /** The client sent more pings than it may, and is to be answered so. */
  warn(): void;
  /** After `away`: no message follows. */
  done(): void;
  /** The client has gone, or the edge ended its socket. Nothing follows. */
  end(end: SocketEnd): void;
  /** Bytes that the network has not taken yet. */
  buffered(): number;
}

/** The edge's events of a relay. After `ended` and `broken` nothing follows. */
export interface RelayListener {
  /** The home has the session: early messages can go. */
  taken(): void;
  frame(bytes: Buffer): void;
  /** The home gives the session up, to that node or, with null, to whatever the edge's registry says. */
  away(node: string | null, handOver: HandOver | null): void;
  /** After `done`: what had reached the home after its `away`. */
  unread(messages: readonly Buffer[]): void;
  /** The home closed the socket. */
  ended(code: number, reason: string): void;
  /** It could not be opened, broke off, or was silent for too long. */
  broken(): void;
}

/** The relays of a node. */
export interface Relays {
  /** The id of this node. */
  readonly nodeId: string;
  /** The listener hears nothing before this returns. */
  open(node: string, opening: RelayOpening, listener: RelayListener): Relay;
  /** To spectators at other nodes that subscribe to the topic. */
  publish(topic: string, frames: readonly Uint8Array[]): void;
}

/** The home's end of a relay: a socket like any other, but that it can be given up. */
export interface HomeSocket extends WireSocket {
  /** The id of the edge. */
  readonly edge: string;
  /** The session is here. */
  taken(): void;
  /** Nothing follows, in either direction, and the listener hears nothing more. */
  away(node: string | null, handOver: HandOver | null): void;
}

/** The home's session, or spectator. It hears no pings: the edge counts them. */
export interface HomeListener extends Omit<SocketListener, 'control'> {
  early(messages: readonly EarlyMessage[]): void;
  warned(): void;
  /** Before `closed`, where the edge ended the socket. */
  endedBy(end: SocketEnd): void;
}

/** Opens sessions for sockets with clients at other nodes. */
export interface RelayedSockets {
  openRelayed(socket: HomeSocket, opening: RelayOpening): HomeListener;
}
