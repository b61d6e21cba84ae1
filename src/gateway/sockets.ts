import type { ServerMessage } from '../protocol/server.js';
import { offersLean } from '../protocol/subprotocol.js';
import { leanSocket, MAX_SERIAL, type SocketId } from '../table/api.js';
import type { FrameSink, Registry, TableRoute, ShardLink, Sockets, WatchRoute } from './ports.js';
import { FrameBatches } from './frame-batches.js';
import { guardedRegistry } from './guarded-registry.js';
import { helloOf } from './credentials.js';
import { Session, type SessionHost } from './session.js';
import { zeroStats } from './socket-stats.js';
import { WATCH_PATHS, type HttpRequest, type Log, type SocketListener, type WireSocket } from './transport.js';
import { WatchHub } from './watch/watch-hub.js';
import { Standstill } from '../ops/standstill.js';

export interface SocketHubOptions {
  messagesPerSecond: number;
  /** Unsent bytes after which a slow reader is closed with 1013. */
  bufferBytes: number;
  /** Longest time that frames wait which may, in ms; those of MAY_WAIT_LONG, LONGER times as long. */
  deferMs: number;
  /** What spectators see is so many hands old. */
  delayHands: number;
  clientIp(request: HttpRequest): string;
  log: Log;
  /** ms of a clock that never goes back; default performance.now. */
  now?: () => number;
}

type Publish = (topic: string, frames: readonly Uint8Array[]) => void;

/** What sockets talk to. */
export interface SocketUpstream {
  registry: Registry;
  link(shard: number): ShardLink;
  /** All shards of this machine: they are told when the thread of the sockets stood still. */
  shards?: readonly ShardLink[];
}

/** The first free serial number from `from` on. After MAX_SERIAL it goes on at 1: 0 is no socket. */
export function freeSerial(from: number, taken: (serial: number) => boolean): number {
  let serial = from;
  while (serial > MAX_SERIAL || taken(serial)) serial = serial >= MAX_SERIAL ? 1 : serial + 1;
  return serial;
}

/**
 * All sockets of the process. Knows links to shards and the registry, and nothing else of the house.
 *
 * A send inside another socket's message handler costs twice (the library's cork belongs to that socket), so what the
 * registry and the sessions say waits for the next turn of the event loop, or goes with a shard's frames before that.
 */
export class SocketHub implements Sockets, FrameSink, SessionHost {
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

  constructor(options: SocketHubOptions) {
    this.messagesPerSecond = options.messagesPerSecond;
    this.bufferBytes = options.bufferBytes;
    this.#standstill = new Standstill((from, to) => this.#stood(from, to));
    this.now = options.now ?? (() => this.#standstill.now());
    this.#log = options.log;
    this.#clientIp = options.clientIp;
    this.#watch = new WatchHub({
      ...{ messagesPerSecond: options.messagesPerSecond, delayHands: options.delayHands, clientIp: options.clientIp },
      ...{ now: this.now, takeId: () => this.#takeId(false), stats: this.stats },
      ...{ registry: () => this.registry, link: (shard) => this.link(shard) },
      publish: (topic, frames) => this.#publish(topic, frames),
    });
    this.#batches = new FrameBatches({
      ...{ sessions: this.#sessions, watch: this.#watch, stats: this.stats, now: this.now },
      deferMs: options.deferMs,
    });
  }

  /** Before the first socket is opened. */
  serve({ registry, link, shards = [] }: SocketUpstream, publish: Publish = () => undefined): void {
    this.#publish = publish;
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

  /** Its thread is not watched any more. */
  stop(): void {
    this.#standstill.stop();
  }

  #stood(from: number, to: number): void {
    for (const shard of this.#shards) shard.send({ t: 'stood', from, to });
  }

  // ---- from the transport

  open(socket: WireSocket, request: HttpRequest): SocketListener {
    if (WATCH_PATHS.includes(request.path)) return this.#watch.open(socket, request);
    const hello = helloOf(request, this.#clientIp(request));
    const lean = offersLean(request.header('sec-websocket-protocol'));
    const session = new Session(this.#takeId(lean), socket, this, hello);
    this.#sessions.set(session.id, session);
    this.stats.opened++;
    this.stats.sockets++;
    this.registry.opened(session.id, hello);
    return session;
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

  /** Of players and spectators. */
  endAll(closeCode: number, reason: string): void {
    for (const session of this.#sessions.values()) session.end(closeCode, reason);
    this.#watch.endAll(closeCode, reason);
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

  untold(socket: SocketId): void {
    this.#sessions.get(socket)?.untold();
  }

  round(_socket: SocketId, shard: number, table: string, round: number): void {
    whenAllIsRead(() => {
      // Nobody can have sent anything yet. The shard asks again.
      if (this.#upstream === null) return;
      // That this thread stood still is told before.
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

  /** Sends what waits for the next turn at once: the transport is about to close. */
  flush(): void {
    for (const session of [...this.#sessions.values()]) session.flush();
  }

  gone(session: Session): void {
    this.#sessions.delete(session.id);
    this.stats.sockets--;
  }

  readonly #flush = (): void => {
    const due = this.#due;
    this.#due = [];
    for (const session of due) session.flush();
  };
}

/**
 * A turn of the event loop reads each socket that has something once. The one under way may be past some of them, and a
 * transport may give out what it read a turn later.
 */
function whenAllIsRead(then: () => void): void {
  setImmediate(() => setImmediate(() => setImmediate(then)));
}
