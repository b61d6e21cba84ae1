import { CLOSE_REASONS, CloseCode } from '../protocol/codes.js';
import type { ServerMessage } from '../protocol/server.js';
import { offersLean } from '../protocol/subprotocol.js';
import { leanSocket, MAX_SERIAL, placeOf, PLACES, type SocketId } from '../table/api.js';
import { ASKS, LAST, MAY_WAIT, MAY_WAIT_LONG, START } from '../table/outbox.js';
import type { FrameSink, Hello, Registry, ResumedSocket, TableRoute, ShardLink, Sockets, WatchRoute } from './ports.js';
import { Deferral } from './deferral.js';
import { guardedRegistry } from './guarded-registry.js';
import { helloOf } from './credentials.js';
import { Session, type SessionHost } from './session.js';
import { zeroStats } from './socket-stats.js';
import { WATCH_PATHS, type HttpRequest, type Log, type SocketListener, type WireSocket } from './transport.js';
import { WatchHub } from './watch/watch-hub.js';

export interface SocketHubOptions {
  messagesPerSecond: number;
  /** Unsent bytes after which a slow reader is closed with 1013. */
  bufferBytes: number;
  /** Longest time that frames wait which may, in ms; those of MAY_WAIT_LONG, LONGER times as long. */
  deferMs: number;
  /** So long those that come from other nodes have waited at most. */
  waitedMs?: number;
  /** What spectators see is so many hands old. */
  delayHands: number;
  clientIp(request: HttpRequest): string;
  log: Log;
  /** ms of a clock that never goes back; default performance.now. */
  now?: () => number;
  /** Socket ids begin here, and all have its place. Default: the first ids of the first place. */
  firstId?: SocketId;
}

/** What frames that may wait long do, in times of the others. */
const LONGER = 3;

interface Deferrals {
  soon: Deferral;
  late: Deferral;
}

/** `waitedMs`: what they have waited already. */
function deferrals(ms: number, waitedMs: number): Deferrals {
  const soon = new Deferral(ms - waitedMs);
  return { soon, late: new Deferral(LONGER * ms - waitedMs, soon) };
}

type Publish = (topic: string, frames: readonly Uint8Array[]) => void;

/** What sockets talk to. */
export interface SocketUpstream {
  registry: Registry;
  link(shard: number): ShardLink;
}

/**
 * All sockets of a front. Knows links to shards and the registry, and nothing else of the main thread: with several
 * fronts each has a hub of its own.
 *
 * A send inside another socket's message handler costs twice (the library's cork belongs to that socket), so what the
 * registry and the sessions say waits for the next turn of the event loop, or goes with a shard's frames before that.
 *
 * What sockets cost is writes, much more than bytes. So frames that may wait (MAY_WAIT) are deferred for a moment and leave
 * in one write with those that come meanwhile, or before the next one that may not wait. Those of players who are out of
 * the hand (MAY_WAIT_LONG) wait longer, until something comes for them that may not.
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
  #nextId: SocketId;
  #due: Session[] = [];
  readonly #watch: WatchHub;
  #publish: Publish = () => undefined;

  constructor(options: SocketHubOptions) {
    this.messagesPerSecond = options.messagesPerSecond;
    this.bufferBytes = options.bufferBytes;
    this.now = options.now ?? (() => performance.now());
    this.#log = options.log;
    this.#clientIp = options.clientIp;
    this.#nextId = options.firstId ?? PLACES;
    this.#own = deferrals(options.deferMs, 0);
    this.#others = deferrals(options.deferMs, options.waitedMs ?? 0);
    this.#watch = new WatchHub({
      ...{ messagesPerSecond: options.messagesPerSecond, delayHands: options.delayHands, clientIp: options.clientIp },
      ...{ now: this.now, takeId: () => this.#takeId(false), stats: this.stats },
      ...{ registry: () => this.registry, link: (shard) => this.link(shard) },
      publish: (topic, frames) => this.#publish(topic, frames),
    });
  }

  /** Before the first socket is opened. */
  serve({ registry, link }: SocketUpstream, publish: Publish = () => undefined): void {
    this.#publish = publish;
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

  /** Up to the highest serial number, then again from the least past those in use: 0 is no socket. */
  #takeId(lean: boolean): SocketId {
    const first = PLACES + placeOf(this.#nextId);
    const taken = (id: SocketId) => this.#sessions.has(id) || this.#sessions.has(leanSocket(id)) || this.#watch.has(id);
    let serial = this.#nextId;
    while (serial > MAX_SERIAL || taken(serial)) serial = serial > MAX_SERIAL ? first : serial + PLACES;
    this.#nextId = serial + PLACES;
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

  /** Players' sockets that were welcomed, with all that they asked and was not answered: for another registry. */
  resumable(): ResumedSocket[] {
    return [...this.#sessions.values()].flatMap((session) => session.resumed() ?? []);
  }

  /** Players' sockets that were not welcomed yet. */
  arriving(): { socket: SocketId; hello: Hello }[] {
    const opening = [...this.#sessions.values()].filter((session) => session.isOpening);
    return opening.map(({ id, hello }) => ({ socket: id, hello }));
  }

  /** Some frame of these shards is lost: who may have been to read it comes back. */
  endTorn(shards: ReadonlySet<number>): void {
    for (const session of this.#sessions.values()) session.endTorn(shards);
    this.#watch.endTorn(shards);
  }

  /** Spectators come back, and are let in anew. */
  endWatchers(): void {
    this.#watch.endAll(CloseCode.tooSlow, CLOSE_REASONS[CloseCode.tooSlow]);
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

  /** The table is another shard's; with `anew` it does not know who watches it. */
  moved(table: string, shard: number, anew: boolean): void {
    for (const session of this.#sessions.values()) session.moved(table, shard);
    this.#watch.moved(table, shard, anew);
  }

  close(socket: SocketId, closeCode: number, reason: string): void {
    const session = this.#sessions.get(socket);
    if (session === undefined) this.#watch.close(socket, closeCode, reason);
    else session.end(closeCode, reason);
  }

  untold(socket: SocketId): void {
    this.#sessions.get(socket)?.untold();
  }

  /** These shards are lost, and all that they said is read: whom they did not tell of the end of its stay comes back. */
  endUntold(shards: ReadonlySet<number>): void {
    for (const session of this.#sessions.values()) session.endUntold(shards);
  }

  // ---- from the shards

  #bytes: ArrayBuffer = new ArrayBuffer(0);
  #index: Uint32Array = new Uint32Array(0);
  /** For each frame of the batch the next one for the same socket, -1 after the last. */
  #next = new Int32Array(1024);
  readonly #touched: Session[] = [];
  /** Of frames of shards of this node, or of the process where there is one, and of those of other nodes. */
  readonly #own: Deferrals;
  readonly #others: Deferrals;
  #current: Session | null = null;

  /** Triples (socket, start, end) of `index` say who gets which part of `bytes`; order is kept for each socket. */
  forward(bytes: ArrayBuffer, index: Uint32Array, used?: (bytes: ArrayBuffer) => void): void {
    this.#forward(bytes, index, this.#own, used);
  }

  /** The same of another node's shard: those that may wait have waited there. */
  forwardOthers(bytes: ArrayBuffer, index: Uint32Array): void {
    this.#forward(bytes, index, this.#others);
  }

  #forward(
    bytes: ArrayBuffer,
    index: Uint32Array,
    { soon, late }: Deferrals,
    used?: (bytes: ArrayBuffer) => void,
  ): void {
    this.#bytes = bytes;
    this.#index = index;
    this.#chain(index);
    let retaining: Deferral | null = null;
    for (const session of this.#touched) {
      if (session.mayWait && !session.hasPending) {
        const deferral = session.mayWaitLong ? late : soon;
        if (retaining !== late) retaining = deferral;
        this.#defer(session, deferral);
      } else if (!session.checkBacklog()) {
        this.#current = session;
        session.socket.cork(this.#burst);
      }
      session.head = session.tail = -1;
    }
    this.#touched.length = 0;
    this.#current = null;
    // The frames of one buffer may go at different times: it is kept until the last of them are gone.
    if (retaining === null) used?.(bytes);
    else retaining.retain(bytes, used);
  }

  /** Defers the frames of the batch for this socket; nothing is pending that would have to go before them. */
  #defer(session: Session, deferral: Deferral): void {
    deferral.add(session);
    for (let frame = session.head; frame >= 0; frame = this.#next[frame]!) session.defer(this.#view(frame));
  }

  /** A frame of the batch, counted. */
  #view(frame: number): Uint8Array {
    const start = this.#index[frame * 3 + 1]! & START;
    const length = this.#index[frame * 3 + 2]! - start;
    this.stats.frames++;
    this.stats.frameBytes += length;
    return new Uint8Array(this.#bytes, start, length);
  }

  /** Strings the frames of each socket together, in order of first appearance. */
  #chain(index: Uint32Array): void {
    const count = index.length / 3;
    if (count > this.#next.length) this.#next = new Int32Array(count * 2);
    const next = this.#next;
    let now: number | undefined;
    for (let frame = 0; frame < count; frame++) {
      const session = this.#sessions.get(index[frame * 3]!);
      const marked = index[frame * 3 + 1]!;
      if (session === undefined) this.#watch.frame(index[frame * 3]!, this.#bytes, marked, index[frame * 3 + 2]!);
      if (session === undefined || !session.live) continue;
      if ((marked & ASKS) !== 0) session.asked((now ??= this.now()));
      if ((marked & LAST) !== 0) session.left();
      if (session.isOpening) {
        session.hold(new Uint8Array(this.#bytes.slice(marked & START, index[frame * 3 + 2]!)));
        continue;
      }
      if (session.tail < 0) {
        session.head = frame;
        session.mayWait = session.mayWaitLong = true;
        this.#touched.push(session);
      } else next[session.tail] = frame;
      session.tail = frame;
      next[frame] = -1;
      if ((marked & MAY_WAIT) === 0) session.mayWait = false;
      if ((marked & MAY_WAIT_LONG) === 0) session.mayWaitLong = false;
    }
  }

  /** All that one socket gets of a batch; made once, since it runs for every socket of every batch. */
  readonly #burst = (): void => {
    const session = this.#current;
    if (session === null) return;
    session.sendWaiting();
    for (let frame = session.head; frame >= 0 && session.live; frame = this.#next[frame]!) {
      session.sendFrame(this.#view(frame));
    }
  };

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
