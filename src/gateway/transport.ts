import type { RequestAgent } from '../protocol/route.js';

/**
 * The gateway's needs of a network library: HTTP and WebSocket on one port. Two libraries provide it and pass the same
 * tests: µWebSockets.js (uws.ts), and node:http with `ws` (ws.ts). No other code knows either library.
 */

/** One HTTP request, its body already read. */
export interface HttpRequest {
  /** Upper case. */
  readonly method: string;
  /** As sent: still percent-encoded, without the query. */
  readonly path: string;
  /** As sent, without `?`. */
  readonly query: string;
  /** Address of the other end of the TCP connection: a proxy's, where there is one. */
  readonly remote: string;
  /** Null: larger than the limit, so it was not kept. */
  readonly body: Buffer | null;
  /** Aborted when the client goes away before the answer is complete. */
  readonly signal: AbortSignal;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Value of a header by its lower-case name, '' without it. */
  header(name: string): string;
  /** For a request that came to another node of the cluster: that node has admitted it for this agent. */
  readonly vouched?: { readonly agent: RequestAgent | null };
}

export interface HttpAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** A stream is pulled only as fast as the client reads, and returned (`iterator.return`) when the client leaves. */
  body: string | Uint8Array | AsyncIterable<Uint8Array> | null;
}

/** An open WebSocket. After `close`, or once the listener heard `closed`, every method does nothing. */
export interface WireSocket {
  /**
   * Sends one text frame; its bytes are not looked at again after the call. False: dropped because even the hard buffer
   * limit was passed; the socket must be closed.
   */
  send(frame: string | Uint8Array): boolean;
  /** Runs `write`; all frames it sends leave in one system call. */
  cork(write: () => void): void;
  /** Bytes sent but not yet taken by the network. */
  buffered(): number;
  /** Gets what is published on the topic from now on, or no longer. */
  subscribe(topic: string): void;
  unsubscribe(topic: string): void;
  /** Sends what is buffered and a close frame. The listener's `closed` runs before this returns. */
  close(code: number, reason: string): void;
}

/** A socket's events for its owner. */
export interface SocketListener {
  /** One whole message, text or binary alike. The bytes are valid during the call only. */
  message(data: Buffer): void;
  /** A ping or a pong of the client. */
  control(): void;
  /** Exactly once, with what the close frame said (1006 without one); nothing follows. */
  closed(code: number, reason: string): void;
}

export interface TransportHandlers {
  /** Answers a request; must not reject. */
  http(request: HttpRequest): Promise<HttpAnswer>;
  /** Asked before a WebSocket is accepted on one of the paths: null lets it in, an answer refuses it. At once where it can be. */
  admit(request: HttpRequest): HttpAnswer | null | Promise<HttpAnswer | null>;
  open(socket: WireSocket, request: HttpRequest): SocketListener;
  /** The key that the socket's client counts for, or null for a socket of our own. */
  clientKey(request: HttpRequest): string | null;
}

/** How many connections may be open, in all and of one address. */
export interface ConnectionLimits {
  max: number;
  perAddress: number;
  /** Proxies in front: a connection's other end is one of them then, and tells no client apart. */
  proxies: number;
}

export interface TransportOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Other processes of this machine listen on the port, too (SO_REUSEPORT). */
  shared?: boolean;
  /** Largest request body in bytes. */
  bodyLimit: number;
  /** Frames above this just end the socket; the gateway's own limit, which answers properly, is lower. */
  frameLimit: number;
  /** Hard limit of a socket's unsent bytes; the gateway's own limit is lower. */
  bufferLimit: number;
  /** A peer silent for so long, pings unanswered, is dead. At least 8. */
  idleSeconds: number;
  /** Open connections at most; no bound without. One more is accepted and closed at once. */
  connections?: ConnectionLimits;
  /** Longest time for the head of a request, in ms, default 10 s; `ws` only, µWebSockets.js has a bound of its own. */
  headMs?: number;
  log: Log;
}

export interface Transport {
  readonly name: 'uws' | 'ws';
  readonly port: number;
  /** Sends text frames, in this order, to all who subscribe to the topic. Their bytes may be used again after the call. */
  publish(topic: string, frames: readonly Uint8Array[]): void;
  /**
   * Stops listening, lets requests under way finish for at most `graceMs`, closes every socket with the code, and
   * resolves once nothing is left open.
   */
  close(code: number, reason: string, graceMs?: number): Promise<void>;
}

export type Listen = (options: TransportOptions, handlers: TransportHandlers) => Promise<Transport>;

/** The part of a pino logger in use. */
export interface Log {
  info(detail: object, message: string): void;
  warn(detail: object, message: string): void;
  error(detail: object, message: string): void;
}

/** Where WebSockets are served; a trailing slash does no harm. */
export const WS_PATHS: readonly string[] = ['/ws', '/ws/'];

/** Where spectators watch a table: nothing is read from these. */
export const WATCH_PATHS: readonly string[] = ['/ws/watch', '/ws/watch/'];

/** How often sockets are pinged: often enough for the proxies in between, which cut what is silent for a minute. */
export const beatMs = (idleSeconds: number) => Math.min(30, idleSeconds / 4) * 1000;

/** A client's frame may not be larger, in bytes (protocol.md, "Connecting"). */
export const MAX_CLIENT_FRAME = 16 * 1024;
/** Messages kept while authentication is under way: three seconds' worth at the permitted rate. */
export const MAX_EARLY = 64;
