import type { ServerMessage } from '../protocol/server.js';
import { offersLean } from '../protocol/subprotocol.js';
import { leanSocket, MAX_SERIAL, type SocketId, NO_SOCKET } from '../table/api.js';
import type {
  FrameSink,
  HandOver,
  Registry,
  TableRoute,
  ShardLink,
  Sockets,
  WatchRoute,
  WatchViewer,
} from './ports.js';
import { ClientSocket, type Visit } from './relay/client-socket.js';
import type { EarlyMessage, HomeListener, HomeSocket, RelayedSockets, RelayOpening, Relays } from './relay/ports.js';
import { RelayHub } from './relay/relay-hub.js';
import { FrameBatches } from './frame-batches.js';
import { Allowance } from './allowance.js';
import { helloOf } from './credentials.js';
import { Session, type SessionHost } from './session.js';
import { zeroStats } from './socket-stats.js';
import { WATCH_PATHS, type HttpRequest, type Log, type SocketListener, type WireSocket } from './transport.js';
import { WatchHub } from './watch/watch-hub.js';
import { Standstill } from '../ops/standstill.js';

/** An error of the registry about one message must not end the process and every socket with it. */
function guardedRegistry(registry: Registry, log: Log): Registry {
  const attempt = (call: string, socket: SocketId, run: () => void) => {
    try {
      run();
    } catch (error) {
      log.error({ err: error, call, socket }, 'registry failed');
    }
  };
  return {
    opened: (socket, hello) => attempt('opened', socket, () => registry.opened(socket, hello)),
    watching: (socket, hello) => attempt('watching', socket, () => registry.watching(socket, hello)),
    message: (socket, agentId, message) => attempt('message', socket, () => registry.message(socket, agentId, message)),
    mishap: (agentId, mishap) => attempt('mishap', NO_SOCKET, () => registry.mishap(agentId, mishap)),
    closed: (socket, agentId, end) => attempt('closed', socket, () => registry.closed(socket, agentId, end)),
  };
}

export interface SocketHubOptions {
  messagesPerSecond: number;
  /** Unsent bytes after which a slow reader is closed with 1013. */
  bufferBytes: number;
  /** The longest time in ms of frames that may wait. Frames of MAY_WAIT_LONG wait LONGER times as long. */
  deferMs: number;
  /** Spectators see the table so many hands late. */
  delayHands: number;
  clientIp(request: HttpRequest): string;
  log: Log;
  /** ms of a clock that never goes back; default performance.now. */
  now?: () => number;
}

type Publish = (topic: string, frames: readonly Uint8Array[]) => void;

/** The partners of sockets. */
export interface SocketUpstream {
  registry: Registry;
  link(shard: number): ShardLink;
  /** All shards of this machine. They learn when the thread of the sockets stood still. */
  shards?: readonly ShardLink[];
  /** Relays to other nodes, if there may be some. */
  relays?: Relays;
}

/** The first free serial number from `from` on. After MAX_SERIAL it goes on at 1: 0 is no socket. */
export function freeSerial(from: number, taken: (serial: number) => boolean): number {
  let serial = from;
  while (serial > MAX_SERIAL || taken(serial)) serial = serial >= MAX_SERIAL ? 1 : serial + 1;
  return serial;
}

/**
 * All sockets of the process. Knows only the links to shards and the registry.
 *
 * A send inside another socket's message handler costs twice: the library's cork belongs to that socket. So messages of
 * registry and sessions wait for the next turn of the event loop, or go with an earlier batch of a shard.
 */
export class SocketHub implements Sockets, FrameSink, SessionHost, RelayedSockets {
  readonly messagesPerSecond: number;
  readonly bufferBytes: number;
  readonly now: () => number;
  readonly stats = zeroStats();
  readonly #log: Log;
  #upstream: SocketUpstream | null = null;
  readonly #clientIp: (request: HttpRequest) => string;
  readonly #sessions = new Map<SocketId, Session>();
  #nextSerial = 1;
  #due: Session[] = [];
  readonly #watch: WatchHub;
  readonly #batches: FrameBatches;
  readonly #standstill: Standstill;
  #shards: readonly ShardLink[] = [];
  #publish: Publish = () => undefined;
  #relays: Relays | null = null;
  readonly #relayHub: RelayHub;

  constructor(options: SocketHubOptions) {
    this.messagesPerSecond = options.messagesPerSecond;
    this.bufferBytes = options.bufferBytes;
    this.#standstill = new Standstill((from, to) => this.#stood(from, to));
    this.now = options.now ?? (() => this.#standstill.now());
    this.#log = options.log;
    this.#clientIp = options.clientIp;
    this.#watch = new WatchHub({
      delayHands: options.delayHands,
      clientIp: options.clientIp,
      now: this.now,
      takeId: () => this.#takeId(false),
      stats: this.stats,
      registry: () => this.registry,
      link: (shard) => this.link(shard),
      publish: (topic, frames) => this.#publish(topic, frames),
    });
    this.#batches = new FrameBatches({
      sessions: this.#sessions,
      watch: this.#watch,
      stats: this.stats,
      now: this.now,
      deferMs: options.deferMs,
    });
    this.#relayHub = new RelayHub({
      relays: () => this.#relays,
      bufferBytes: this.bufferBytes,
      now: this.now,
      stats: this.stats,
      begin: (client, early, handOver) => this.#begin(client, early, handOver),
    });
  }

  /** Before the first socket is opened. */
  serve({ registry, link, shards = [], relays }: SocketUpstream, publish: Publish = () => undefined): void {
    this.#relays = relays ?? null;
    this.#publish = (topic, frames) => {
      publish(topic, frames);
      relays?.publish(topic, frames);
    };
    this.#shards = shards;
    this.#upstream = { registry: guardedRegistry(registry, this.#log), link };
  }

  get registry(): Registry {
    return this.#served.registry;
  }

  link(shard: number): ShardLink {
    return this.#served.link(shard);
  }

  get #served(): SocketUpstream {
    if (this.#upstream === null) throw new Error('a socket came before anybody served it');
    return this.#upstream;
  }

  /** Stops the watch of its thread. */
  stop(): void {
    this.#standstill.stop();
  }

  #stood(from: number, to: number): void {
    for (const shard of this.#shards) shard.send({ t: 'stood', from, to });
  }

  // ---- from the transport

  open(socket: WireSocket, request: HttpRequest): SocketListener {
    const lean = offersLean(request.header('sec-websocket-protocol'));
    const visit: Visit = WATCH_PATHS.includes(request.path)
      ? { kind: 'watch', hello: this.#watch.helloOf(request) }
      : { kind: 'play', hello: helloOf(request, this.#clientIp(request)), lean };
    const client = new ClientSocket(socket, new Allowance(this.messagesPerSecond), visit);
    if (visit.kind === 'play') this.stats.opened++;
    this.#begin(client, [], null);
    return client;
  }

  /** Opens a session or a spectator for a client at another node. */
  openRelayed(home: HomeSocket, opening: RelayOpening): HomeListener {
    const allowance = new Allowance(this.messagesPerSecond);
    if (opening.kind === 'play') {
      return this.#play(new ClientSocket(home, allowance, opening, home), opening, [], opening.hello.handOver ?? null);
    }
    const { tableId, ip, viewer } = opening;
    const hello = { tableId, ip, viewer, headers: {} };
    return this.#watch.open(new ClientSocket(home, allowance, { kind: 'watch', hello }, home), hello);
  }

  #begin(client: ClientSocket, early: EarlyMessage[], handOver: HandOver | null): void {
    const { visit } = client;
    if (visit.kind === 'watch') this.#watch.open(client, visit.hello);
    else this.#play(client, visit, early, handOver);
  }

  #play(
    client: ClientSocket,
    { hello: brought, lean }: Extract<Visit, { kind: 'play' }>,
    early: EarlyMessage[],
    handOver: HandOver | null,
  ): Session {
    const hello = handOver === null ? brought : { ...brought, handOver };
    const session = new Session(this.#takeId(lean), client, this, hello, early);
    client.listener = session;
    this.#sessions.set(session.id, session);
    this.#count(session, 1);
    this.registry.opened(session.id, hello);
    return session;
  }

  #count({ client }: Session, change: 1 | -1): void {
    this.stats[client.home === null ? 'sockets' : 'relayedIn'] += change;
  }

  #takeId(lean: boolean): SocketId {
    const taken = (id: SocketId) => this.#sessions.has(id) || this.#sessions.has(leanSocket(id)) || this.#watch.has(id);
    const serial = freeSerial(this.#nextSerial, taken);
    this.#nextSerial = serial + 1;
    return lean ? leanSocket(serial) : serial;
  }

  // ---- from the registry

  welcome(socket: SocketId, agent: { agentId: string; name: string }, route: TableRoute | null): void {
    this.#sessions.get(socket)?.welcome(agent, route);
  }

  refuse(socket: SocketId, error: { code: string; message: string }, closeCode: number): void {
    const session = this.#sessions.get(socket);
    if (session === undefined) this.#watch.refuse(socket, error, closeCode);
    else session.refuse(error, closeCode);
  }

  watch(socket: SocketId, route: WatchRoute): void {
    this.#watch.watch(socket, route);
  }

  /** Ends all sockets of players and spectators. */
  endAll(closeCode: number, reason: string): void {
    for (const session of this.#sessions.values()) session.end(closeCode, reason);
    this.#watch.endAll(closeCode, reason);
    this.#relayHub.endAll(closeCode, reason);
  }

  /** A shard plays (again). */
  shardUp(shard: number): void {
    this.#watch.shardUp(shard);
  }

  send(socket: SocketId, message: ServerMessage): void {
    this.#sessions.get(socket)?.hear(message);
  }

  route(socket: SocketId, route: TableRoute | null): void {
    this.#sessions.get(socket)?.route(route);
  }

  close(socket: SocketId, closeCode: number, reason: string): void {
    const session = this.#sessions.get(socket);
    if (session === undefined) this.#watch.close(socket, closeCode, reason);
    else session.end(closeCode, reason);
  }

  relay(socket: SocketId, node: string, handOver: HandOver | null): void {
    const session = this.#sessions.get(socket);
    const early = session?.release() ?? null;
    if (session !== undefined && early !== null) this.#relayHub.relay(session.client, node, early, handOver);
  }

  relayWatch(socket: SocketId, node: string, viewer: WatchViewer): void {
    const client = this.#watch.release(socket);
    if (client !== null) this.#relayHub.relayWatch(client, node, viewer);
  }

  untold(socket: SocketId): void {
    this.#sessions.get(socket)?.untold();
  }

  round(_socket: SocketId, shard: number, table: string, round: number): void {
    whenAllIsRead(() => {
      // No client can have sent anything yet. The shard asks again.
      if (this.#upstream === null) return;
      // A standstill of this thread is reported first.
      this.now();
      this.link(shard).send({ t: 'heard', table, round });
    });
  }

  // ---- from the shards

  forward(bytes: ArrayBuffer, index: Uint32Array, used?: (bytes: ArrayBuffer) => void): void {
    this.#batches.forward(bytes, index, used);
  }

  // ---- for the sessions

  schedule(session: Session): void {
    if (this.#due.length === 0) setImmediate(this.#flush);
    this.#due.push(session);
  }

  /** Sends at once the messages that wait for the next turn: the transport is about to close. */
  flush(): void {
    for (const session of [...this.#sessions.values()]) session.flush();
  }

  gone(session: Session): void {
    this.#sessions.delete(session.id);
    this.#count(session, -1);
  }

  readonly #flush = (): void => {
    const due = this.#due;
    this.#due = [];
    for (const session of due) session.flush();
  };
}

/**
 * A turn of the event loop reads each ready socket once. The present turn may be past some of them, and a transport may
 * deliver its reads a turn later.
 */
function whenAllIsRead(then: () => void): void {
  setImmediate(() => setImmediate(() => setImmediate(then)));
}
