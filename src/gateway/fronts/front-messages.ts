import type { MessagePort } from 'node:worker_threads';
import type { ClientMessage } from '../../protocol/client.js';
import type { Mishap, SocketEnd } from '../../protocol/mishap.js';
import type { ServerMessage } from '../../protocol/server.js';
import type { LifeId } from '../../shard/channels.js';
import type { ShardPort } from '../../shard/wire.js';
import type { SocketId } from '../../table/api.js';
import type { RequestHead } from '../exchange.js';
import type { ConnectionLimits } from '../transport.js';
import type { Hello, TableRoute, WatchHello, WatchRoute } from '../ports.js';
import type { SocketStats } from '../socket-stats.js';

/**
 * The closed catalogue of messages between the main thread and a thread that holds sockets (FRONTS above 1). Frames of
 * tables and messages to tables are not among them: they take ports of their own, straight from and to the shards.
 */

/** Main thread to front. `ask` is the front's number for a request of its own. */
export type ToFront =
  | { t: 'welcome'; socket: SocketId; agent: { agentId: string; name: string }; route: TableRoute | null }
  | { t: 'refuse'; socket: SocketId; error: { code: string; message: string }; closeCode: number }
  | { t: 'watch'; socket: SocketId; route: WatchRoute }
  | { t: 'send'; socket: SocketId; message: ServerMessage }
  | { t: 'route'; socket: SocketId; route: TableRoute | null }
  | { t: 'close'; socket: SocketId; closeCode: number; reason: string }
  | { t: 'untold'; socket: SocketId }
  | { t: 'round'; socket: SocketId; shard: number; table: string; round: number }
  /** Answer to admit or request. Streamed: the body follows in chunks, one for each pull, null after the last. */
  | { t: 'answer'; ask: number; answer: WholeAnswer | null; streamed: boolean }
  | { t: 'chunk'; ask: number; bytes: Uint8Array | null }
  /** The body cannot be brought to its end. */
  | { t: 'broken'; ask: number; reason: string }
  /** The shard is down: nothing more from its port. */
  | { t: 'lost'; shard: number }
  /** Answered by pong. */
  | { t: 'ping' }
  /** Send what waits, close every socket, end. */
  | { t: 'end'; closeCode: number; reason: string }
  /** Answer to failing: no new connection will come. */
  | { t: 'removed' };

/** Front to main thread. */
export type FromFront =
  /** It takes connections, once the acceptor knows its app by this descriptor. */
  | { t: 'serving'; descriptor: unknown }
  | { t: 'opened'; socket: SocketId; hello: Hello }
  | { t: 'watching'; socket: SocketId; hello: WatchHello }
  | { t: 'message'; socket: SocketId; agentId: string; message: ClientMessage }
  | { t: 'mishap'; agentId: string; mishap: Mishap }
  | { t: 'closed'; socket: SocketId; agentId: string | null; end: SocketEnd }
  /** May this address open another socket, with this key or token? */
  | { t: 'admit'; ask: number; ip: string; key: string | null; watch: boolean }
  | { t: 'request'; ask: number; head: RequestHead; body: Uint8Array | null }
  | { t: 'pull'; ask: number }
  /** Nobody waits for the answer any more. */
  | { t: 'gone'; ask: number }
  | { t: 'pong'; stats: FrontStats }
  | { t: 'log'; level: 'info' | 'warn' | 'error'; detail: object; message: string }
  /** An exception: the thread will end once no more connections come its way. */
  | { t: 'failing'; reason: string };

export interface WholeAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | null;
}

/** Counters since the start of the thread, and gauges. */
export interface FrontStats extends SocketStats {
  cpuMs: number;
  loopMeanMs: number;
  loopP99Ms: number;
}

export type ToFrontPost = readonly ToFront[] | ShardPort;

export type FromFrontPost = readonly FromFront[];

/** What a front's thread is started with. */
export interface FrontTask {
  front: number;
  shards: number;
  /** Socket ids begin here, and rise by PLACES. */
  firstId: SocketId;
  port: MessagePort;
  /** Among the threads of the process that write to each other. */
  life: LifeId;
  transport: FrontTransport;
  messagesPerSecond: number;
  bufferBytes: number;
  deferMs: number;
  delayHands: number;
  trustedProxies: number;
}

export interface FrontTransport {
  host: string;
  port: number;
  bodyLimit: number;
  frameLimit: number;
  bufferLimit: number;
  idleSeconds: number;
  connections: ConnectionLimits;
}
