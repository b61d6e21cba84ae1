import { CLOSE_REASONS, CloseCode, UNTOLD } from '../protocol/codes.js';
import type { SocketEnd } from '../protocol/mishap.js';
import type { ServerMessage } from '../protocol/server.js';
import type { SocketId } from '../table/api.js';
import type { Allowance, AllowanceVerdict } from './allowance.js';
import { ClientDispatch, type DispatchHost } from './client-dispatch.js';
import { textOf } from './client-frames.js';
import type { Deferral } from './deferral.js';
import type { Hello, TableRoute } from './ports.js';
import type { ClientSocket } from './relay/client-socket.js';
import type { EarlyMessage, HomeListener } from './relay/ports.js';
import { MAX_CLIENT_FRAME, MAX_EARLY, type SocketListener, type WireSocket } from './transport.js';

/** The room of a close frame, in bytes (RFC 6455, 5.5). */
const MAX_CLOSE_REASON = 123;

/** A session's dependencies: one object for all sessions of a thread. */
export interface SessionHost extends DispatchHost {
  /** Unsent bytes after which a reader counts as too slow. */
  readonly bufferBytes: number;
  /** Calls `flush` soon, outside of any socket's handler. */
  schedule(session: Session): void;
  /** The session is over: forget it. */
  gone(session: Session): void;
  readonly stats: SessionStats;
}

/** Counters since the start. */
export interface SessionStats {
  opened: number;
  messages: number;
  rateLimited: number;
  invalid: number;
  slowReaders: number;
}

/**
 * One socket's conversation. It is `opening` until the registry welcomes it; what the client sends meanwhile is
 * queued, and counts. Once `closing`, nothing more goes in or out but what was already queued and the close frame.
 */
export class Session implements SocketListener, HomeListener {
  #state: 'opening' | 'open' | 'closing' | 'closed' = 'opening';
  /** Null until the welcome. */
  #dispatch: ClientDispatch | null = null;
  /** Messages from before the welcome. */
  #early: EarlyMessage[];
  /** Frames that wait for the next flush: the registry's and the session's own, and a shard's before the welcome. */
  #pending: (string | Uint8Array)[] = [];
  /** Frames of shards that wait for others; whatever is pending came after them. */
  #deferred: Uint8Array[] = [];
  #close: { code: number; reason: string } | null = null;
  /** How we ended it. */
  #ended: SocketEnd | null = null;
  readonly #allowance: Allowance;
  readonly socket: WireSocket;
  /** First and last frame for this socket in the batch being forwarded; -1: none. */
  head = -1;
  tail = -1;
  /** Whether all of these may wait, and long. */
  mayWait = false;
  mayWaitLong = false;
  deferral: Deferral | null = null;

  constructor(
    readonly id: SocketId,
    readonly client: ClientSocket,
    private readonly host: SessionHost,
    readonly hello: Hello,
    early: EarlyMessage[] = [],
  ) {
    this.socket = client.socket;
    this.#allowance = client.allowance;
    this.#early = early;
  }

  get live(): boolean {
    return this.#state === 'opening' || this.#state === 'open';
  }

  // ---- from the client

  message(data: Buffer): void {
    if (!this.live) return;
    this.host.stats.messages++;
    if (data.length > MAX_CLIENT_FRAME) return this.end(CloseCode.frameTooLarge);
    this.#judged(this.#allowance.message(this.host.now(), data.length), data);
  }

  /** A ping or pong: the transport answers it, and here it counts. */
  control(): void {
    // Pongs wait beside frames if the client reads neither.
    if (this.live && !this.checkBacklog()) this.#judged(this.#allowance.control(this.host.now()), null);
  }

  #judged(verdict: AllowanceVerdict, data: Buffer | null): void {
    if (verdict !== 'read') this.host.stats.rateLimited++;
    if (verdict === 'end') return this.#cut();
    if (verdict === 'drop' || (verdict === 'read' && data === null)) return;
    const message = verdict === 'warn' ? null : data;
    if (this.#state === 'opening' || this.#early.length > 0) this.#queueEarly(message);
    else this.#read(message);
  }

  #read(message: EarlyMessage): void {
    if (message === null) this.#rateLimited();
    else this.#dispatch?.read(textOf(message));
  }

  /** Within the handler: a read may hold thousands of messages more, and none of them is looked at. */
  #cut(): void {
    this.end(CloseCode.flooding);
    this.flush();
  }

  /** The socket is gone, whoever ended it. */
  closed(code: number, reason: string): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#deferred = [];
    this.host.gone(this);
    this.#dispatch?.detach();
    const end = this.#ended ?? { code, reason, by: 'client' };
    this.host.registry.closed(this.id, this.#dispatch?.agentId ?? null, end);
  }

  /** A copy: the transport uses the bytes again. */
  #queueEarly(message: EarlyMessage): void {
    if (this.#early.length < MAX_EARLY) this.#early.push(message && Buffer.from(message));
  }

  #rateLimited(): void {
    const limit = this.host.messagesPerSecond;
    this.#dispatch?.refuse('rate_limited', `Too many messages: at most ${limit} a second; what is beyond is dropped`);
  }

  // ---- from the registry

  welcome(agent: { agentId: string; name: string }, route: TableRoute | null): void {
    if (this.#state !== 'opening') return;
    this.#state = 'open';
    this.#dispatch = new ClientDispatch(agent.agentId, route, this, this.host, this.hello.botVersion);
    this.client.settled();
    if (this.#early.length > 0) this.host.schedule(this);
    if (this.hello.handOver !== undefined) return;
    this.send({ type: 'connected', agent_id: agent.agentId, name: agent.name, season_mode: true });
  }

  /** Some time after the welcome, so that the registry can first tell the table which socket the player has now. */
  #readEarly(): void {
    const early = this.#early;
    this.#early = [];
    for (const message of early) if (this.live) this.#read(message);
  }

  route(route: TableRoute | null): void {
    if (this.#dispatch !== null) this.#dispatch.route = route;
  }

  /** A message from the registry. The session's own messages go another way. */
  hear(message: ServerMessage): void {
    this.#dispatch?.seatNews.heard(message);
    this.send(message);
  }

  send(message: ServerMessage): void {
    this.#queue(JSON.stringify(message));
  }

  /** Sends an error frame with the registry's code, then ends. */
  refuse(error: { code: string; message: string }, closeCode: number): void {
    this.#queue(JSON.stringify({ type: 'error', code: error.code, message: error.message }));
    this.end(closeCode);
  }

  /** Ends the socket once what was queued is sent. The first reason counts. */
  end(code: number, reason = code in CLOSE_REASONS ? CLOSE_REASONS[code as CloseCode] : ''): void {
    if (!this.live) return;
    this.#state = 'closing';
    this.#early = [];
    this.#close = { code, reason: Buffer.byteLength(reason) > MAX_CLOSE_REASON ? '' : reason };
    this.#ended = { ...this.#close, by: 'server' };
    this.host.schedule(this);
  }

  /** It has no seat: unless it knows so it ends, as its client would wait for ever. */
  untold(): void {
    if (this.#dispatch?.seatNews.current !== true) this.end(CloseCode.tooSlow, UNTOLD);
  }

  // ---- of a relay

  /** The client's node counted these. */
  early(messages: readonly EarlyMessage[]): void {
    if (this.#state !== 'open' || this.#early.length > 0) this.#early.push(...(this.live ? messages : []));
    else for (const message of messages) if (this.live) this.#read(message);
  }

  /** The client sent too many pings to its node. */
  warned(): void {
    if (this.live) this.#judged('warn', null);
  }

  endedBy(end: SocketEnd): void {
    this.#ended ??= end;
  }

  /** Gives its socket to a session elsewhere, with what was not read. The registry hears no end. Null: it ends anyway. */
  release(): EarlyMessage[] | null {
    if (!this.live) return null;
    if (this.hasDeferred || this.hasPending) this.socket.cork(() => this.sendWaiting());
    if (!this.live) return null;
    this.#state = 'closed';
    this.host.gone(this);
    return this.#early.splice(0);
  }

  // ---- to the client

  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  #queue(frame: string | Uint8Array): void {
    if (!this.live) return;
    if (this.#pending.length === 0) this.host.schedule(this);
    this.#pending.push(frame);
  }

  get hasDeferred(): boolean {
    return this.#deferred.length > 0;
  }

  /** Keeps a frame until `flush`, at the latest; its bytes must stay for so long. Only while nothing is pending. */
  defer(frame: Uint8Array): void {
    this.#deferred.push(frame);
  }

  /** A frame is on its way that asks the client for something: it may say one thing more. */
  asked(now: number): void {
    this.#allowance.grant(now);
    this.#dispatch?.seatNews.plays();
  }

  /** A frame is on its way that tells of the end of its stay. */
  left(): void {
    this.#dispatch?.seatNews.left();
  }

  /** Sends what is deferred and what is pending; inside a cork. */
  sendWaiting(): void {
    const deferred = this.#deferred;
    if (deferred.length > 0) {
      this.#deferred = [];
      for (const frame of deferred) this.sendFrame(frame);
    }
    const pending = this.#pending;
    if (pending.length > 0) {
      this.#pending = [];
      for (const frame of pending) this.sendFrame(frame);
    }
  }

  /** Sends one frame; inside a cork. */
  sendFrame(frame: string | Uint8Array): void {
    if (!this.socket.send(frame)) this.tooSlow();
  }

  /** Whether the client reads too slowly for anything more; if so it is on its way out. */
  checkBacklog(): boolean {
    if (this.socket.buffered() <= this.host.bufferBytes) return false;
    this.tooSlow();
    return true;
  }

  /** The frames it lacks come back by a resync after it has connected again; none is left out of the middle. */
  tooSlow(): void {
    if (!this.live) return;
    this.host.stats.slowReaders++;
    this.end(CloseCode.tooSlow);
    this.#pending = [];
    this.#deferred = [];
  }

  /** Called by the host some time after `schedule`. */
  flush(): void {
    if (this.#state === 'closed') return;
    const waiting = this.hasDeferred || this.hasPending;
    if (waiting && !(this.live && this.checkBacklog())) this.socket.cork(() => this.sendWaiting());
    const close = this.#close;
    this.#close = null;
    if (close !== null) this.socket.close(close.code, close.reason);
    else if (this.#state === 'open' && this.#early.length > 0) this.#readEarly();
  }
}
