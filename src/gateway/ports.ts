import type { ClientMessage } from '../protocol/client.js';
import type { Mishap, SocketEnd } from '../protocol/mishap.js';
import type { ServerMessage } from '../protocol/server.js';
import type { ToShard } from '../shard/messages.js';
import type { SocketId } from '../table/api.js';
import type { HttpAnswer, HttpRequest } from './transport.js';

/**
 * The ports from the code that holds sockets to the rest of the house: links to shards, and one registry. Everything is
 * a message without a return value, so that either side may live on another machine.
 */

/** The router and the limits of a process: what answers a request, wherever its connection is. */
export interface Answerer {
  http(request: HttpRequest): Promise<HttpAnswer>;
  /** Null: the address may open a socket. */
  admit(ip: string, key: string | null, watch: boolean): HttpAnswer | null | Promise<HttpAnswer | null>;
}

/** A shard as its callers see it: frames and messages come back through whoever created the link. */
export interface ShardLink {
  send(message: ToShard): void;
}

/** Where a session's player sits (or sat last: then `seat` is null, and only resync and repeated actions go there). */
export interface TableRoute {
  shard: number;
  table: string;
  seat: number | null;
}

/** The hello of an opening socket. */
export interface Hello {
  /** Or bot token. */
  apiKey: string | null;
  /** There is none, but an API key stands in the URL, where it is not read. */
  keyInUrl?: true;
  /** For a relayed socket, in place of the key: the key does not leave its node. */
  shown?: CredentialHash;
  ip: string;
  competitionId: string | null;
  /** X-Bot-Version, as it was sent. */
  botVersion?: string;
  /** For a relayed socket: its client's node. */
  relayedFrom?: string;
  /** Another registry welcomed the socket, and handed it over. Its client is not greeted again. */
  handOver?: HandOver;
}

/** An API key or bot token as it is stored. */
export interface CredentialHash {
  /** SHA-256, in hex. */
  hash: string;
  kind: 'key' | 'token';
}

/** A session without a seat and without an open question, on its way to another node. */
export interface HandOver {
  agentId: string;
  name: string;
  waiting: WaitingJoin | null;
  /** The registry's own memory of the session: JSON that the registry alone reads. */
  memory: unknown;
}

/** The hello of a socket that wants to watch a table. */
export interface WatchHello {
  tableId: string;
  ip: string;
  /** Authorization, cookie, origin and host; of a relayed socket none. */
  headers: Readonly<Record<string, string>>;
  /** For a relayed socket: its own node has looked the viewer up. */
  viewer?: WatchViewer;
}

/** The account that watches; null for a stranger. */
export interface WatchViewer {
  agentId: string | null;
}

export interface WaitingJoin {
  /** buy_in of join_lobby. */
  buyIn: number | null;
  /** When it joined, epoch ms. */
  since: number;
  /** lobby_joined was sent. */
  greeted: boolean;
}

/** The watched table, and the agent with visible hole cards. */
export interface WatchRoute {
  shard: number;
  table: string;
  agentId: string | null;
}

/** From the sockets to the registry (who is connected, where they sit, the lobby). */
export interface Registry {
  /** A socket opened. Answered by `welcome` or `refuse`; until then the session queues what the client sends. */
  opened(socket: SocketId, hello: Hello): void;
  /** A socket opened that wants to watch. Answered by `watch` or `refuse`. */
  watching(socket: SocketId, hello: WatchHello): void;
  /** Messages for no table, and action, leave and rebuy of a session without a seat. */
  message(socket: SocketId, agentId: string, message: ClientMessage): void;
  /** An agent's message got an error here. */
  mishap(agentId: string, mishap: Mishap): void;
  closed(socket: SocketId, agentId: string | null, end: SocketEnd): void;
}

/** From the registry to the sockets. */
export interface Sockets {
  /** Authentication succeeded: send `connected`, take the route, then handle what was queued. */
  welcome(socket: SocketId, agent: { agentId: string; name: string }, route: TableRoute | null): void;
  /** Send an error frame and close. */
  refuse(socket: SocketId, error: { code: string; message: string }, closeCode: number): void;
  /** It may: everything public of the table from now on. */
  watch(socket: SocketId, route: WatchRoute): void;
  send(socket: SocketId, message: ServerMessage): void;
  route(socket: SocketId, route: TableRoute | null): void;
  close(socket: SocketId, closeCode: number, reason: string): void;
  /**
   * Its session is at another node, or goes there: an open one with its hand-over. The registry has nothing of the socket
   * any more, unless `opened` brings it anew.
   */
  relay(socket: SocketId, node: string, handOver: HandOver | null): void;
  /** The table that it watches is at another node. */
  relayWatch(socket: SocketId, node: string, viewer: WatchViewer): void;
  /**
   * The agent has no seat, and its table may not have said so. If the session does not know it, the session ends and
   * its client reconnects.
   */
  untold(socket: SocketId): void;
  /** The thread that holds it (NO_SOCKET: any) reads all that has arrived there, then tells the shard so: heard. */
  round(socket: SocketId, shard: number, table: string, round: number): void;
}

/** Finished frames from a shard, forwarded unread: one corked write per socket. */
export interface FrameSink {
  /** `used` takes the buffer back once it is read. */
  forward(bytes: ArrayBuffer, index: Uint32Array, used?: (bytes: ArrayBuffer) => void): void;
}
