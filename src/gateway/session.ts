import { isUtf8 } from 'node:buffer';
import { CLOSE_REASONS, CloseCode } from '../protocol/codes.js';
import type { ActionMessage, ClientMessage, DealNonceMessage, ResyncRequestMessage } from '../protocol/client.js';
import { errorMessage, type ServerMessage } from '../protocol/server.js';
import type { SocketId } from '../table/api.js';
import { FloodGuard } from '../table/flood.js';
import { FrameFault, readFrame } from './client-frames.js';
import type { Registry, Route, ShardLink } from './ports.js';
import { SlidingWindow } from './sliding-window.js';
import type { SocketListener, WireSocket } from './transport.js';

/** A client's frame may not be larger, in bytes (SPEC, Limits). */
export const MAX_CLIENT_FRAME = 16 * 1024;
/** Messages kept while authentication is under way: three seconds' worth at the permitted rate. */
const MAX_EARLY = 64;
/** What a close frame has room for, in bytes (RFC 6455, 5.5). */
const MAX_CLOSE_REASON = 123;
const RESYNC_INTERVAL_MS = 1000;

/** What a session needs of its surroundings; one object shared by all sessions of a front. */
export interface SessionHost {
  readonly registry: Registry;
  link(shard: number): ShardLink;
  readonly messagesPerSecond: number;
  /** Unsent bytes after which a reader counts as too slow. */
  readonly bufferBytes: number;
  /** ms of a clock that never goes back. */
  now(): number;
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
export class Session implements SocketListener {
  #state: 'opening' | 'open' | 'closing' | 'closed' = 'opening';
  #agentId: string | null = null;
  #route: Route | null = null;
  /** What came before the welcome; null stands for a message over the rate limit. */
  #early: (string | FrameFault | null)[] = [];
  /** Frames that wait for the next flush: the registry's and the session's own, and a shard's before the welcome. */
  #pending: (string | Uint8Array)[] = [];
  /** Frames of a shard that heard of the session before it was welcome here. */
  #held: Uint8Array[] = [];
  /** Frames of shards that wait for others; whatever is pending came after them. */
  #deferred: Uint8Array[] = [];
  #close: { code: number; reason: string } | null = null;
  readonly #window: SlidingWindow;
  #nextResync = -Infinity;
  #flood: FloodGuard | null = null;
  /** First and last frame for this socket in the batch being forwarded; -1: none. */
  head = -1;
  tail = -1;
  /** Whether all of these may wait. */
  mayWait = false;

  constructor(
    readonly id: SocketId,
    readonly socket: WireSocket,
    private readonly host: SessionHost,
  ) {
    this.#window = new SlidingWindow(host.messagesPerSecond, 1000);
  }

  get live(): boolean {
    return this.#state === 'opening' || this.#state === 'open';
  }

  // ---- from the client

  message(data: Buffer): void {
    if (!this.live) return;
    this.host.stats.messages++;
    if (data.length > MAX_CLIENT_FRAME) return this.end(CloseCode.frameTooLarge);
    const allowed = this.#window.take(this.host.now());
    if (this.#state === 'opening' || this.#early.length > 0) this.#queueEarly(allowed ? textOf(data) : null);
    else if (allowed) this.#read(textOf(data));
    else this.#rateLimited();
  }

  /** The socket is gone, whoever ended it. */
  closed(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#deferred = [];
    this.host.gone(this);
    const seated = this.#seated();
    if (seated !== null) {
      this.host.link(seated.shard).send({ t: 'detach', table: seated.table, agentId: this.#agent(), socket: this.id });
    }
    this.host.registry.closed(this.id, this.#agentId);
  }

  #queueEarly(text: string | FrameFault | null): void {
    if (this.#early.length < MAX_EARLY) this.#early.push(text);
  }

  #read(text: string | FrameFault): void {
    const message = typeof text === 'string' ? readFrame(text) : text;
    if (message instanceof FrameFault) this.#fault(message);
    else this.#dispatch(message);
  }

  #dispatch(message: ClientMessage): void {
    const seated = this.#seated();
    switch (message.type) {
      case 'action':
        return this.#act(message);
      case 'leave_table':
        if (seated === null) return this.#toRegistry(message);
        return this.#toTable(seated, 'leave');
      case 'rebuy':
        if (seated === null) return this.#toRegistry(message);
        return this.#toTable(seated, 'rebuy');
      case 'deal_nonce':
        return this.#nonce(message);
      case 'resync_request':
        return this.#resync(message);
      case 'join_lobby':
      case 'set_auto_rebuy':
        return this.#toRegistry(message);
    }
  }

  /** Who seems to have no seat may have one since a moment: the registry knows. */
  #toRegistry(message: ClientMessage): void {
    this.host.registry.message(this.id, this.#agent(), message);
  }

  #act(message: ActionMessage): void {
    const seated = this.#seated();
    if (seated !== null) {
      const { shard, table } = seated;
      return this.host.link(shard).send({ t: 'act', table, agentId: this.#agent(), socket: this.id, message });
    }
    this.#toRegistry(message);
    if (this.#route === null) this.#countFault();
  }

  #nonce(message: DealNonceMessage): void {
    const seated = this.#seated();
    if (seated === null) return this.#toRegistry(message);
    const { shard, table } = seated;
    this.host.link(shard).send({ t: 'nonce', table, agentId: this.#agent(), socket: this.id, nonce: message.nonce });
  }

  #resync(message: ResyncRequestMessage): void {
    const now = this.host.now();
    if (now < this.#nextResync) {
      return this.send(errorMessage('rate_limited', 'At most one resync_request a second; this one was dropped'));
    }
    this.#nextResync = now + RESYNC_INTERVAL_MS;
    const route = this.#route;
    const agentId = this.#agent();
    if (route?.table !== message.table_id) return this.#toRegistry(message);
    const lastTableSeq = message.last_table_seq ?? null;
    this.host.link(route.shard).send({ t: 'resync', table: route.table, agentId, socket: this.id, lastTableSeq });
  }

  #toTable(route: Route, t: 'leave' | 'rebuy' | 'invalid'): void {
    this.host.link(route.shard).send({ t, table: route.table, agentId: this.#agent(), socket: this.id });
  }

  #rateLimited(): void {
    this.host.stats.rateLimited++;
    const limit = this.host.messagesPerSecond;
    this.send(errorMessage('rate_limited', `Too many messages: at most ${limit} a second; this one was dropped`));
  }

  #fault({ code, message }: FrameFault): void {
    this.host.stats.invalid++;
    this.send(errorMessage(code, message));
    if (code === 'invalid_message') this.#countFault();
  }

  /** The table counts the faults of those who sit, since it can remove them; others are only warned. */
  #countFault(): void {
    const seated = this.#seated();
    if (seated !== null) return this.#toTable(seated, 'invalid');
    this.#flood ??= new FloodGuard();
    if (this.#flood.fault(this.host.now()) !== 'warning') return;
    this.send(errorMessage('flood_warning', 'Too many invalid messages; slow down'));
  }

  // ---- from the registry

  welcome(agent: { agentId: string; name: string }, route: Route | null): void {
    if (this.#state !== 'opening') return;
    this.#state = 'open';
    this.#agentId = agent.agentId;
    this.#route = route;
    this.send({ type: 'connected', agent_id: agent.agentId, name: agent.name, season_mode: true });
    for (const frame of this.#held.splice(0)) this.#queue(frame);
  }

  /** Some time after the welcome, so that the registry can first tell the table which socket the player has now. */
  #readEarly(): void {
    const early = this.#early;
    this.#early = [];
    for (const text of early) {
      if (!this.live) return;
      if (text === null) this.#rateLimited();
      else this.#read(text);
    }
  }

  route(route: Route | null): void {
    this.#route = route;
  }

  send(message: ServerMessage): void {
    this.#queue(JSON.stringify(message));
  }

  /** An error frame whose code the registry chose, then the end. */
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
    this.host.schedule(this);
  }

  // ---- to the client

  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  get isOpening(): boolean {
    return this.#state === 'opening';
  }

  /** Keeps a shard's frame until the welcome, which takes a longer way to a front on a thread of its own. */
  hold(frame: Uint8Array): void {
    this.#held.push(frame);
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

  /** Sends what is deferred and what is pending; inside a cork. */
  sendWaiting(): void {
    if (this.hasDeferred) this.#sendAll(this.#deferred.splice(0));
    if (this.hasPending) this.#sendAll(this.#pending.splice(0));
  }

  #sendAll(frames: readonly (string | Uint8Array)[]): void {
    for (const frame of frames) this.sendFrame(frame);
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

  // ----

  #seated(): Route | null {
    return this.#route !== null && this.#route.seat !== null ? this.#route : null;
  }

  #agent(): string {
    if (this.#agentId === null) throw new Error(`session ${this.id} is not authenticated`);
    return this.#agentId;
  }
}

const NOT_UTF8 = new FrameFault('invalid_message', 'Not UTF-8 text');

/** Only a binary frame can be no UTF-8: over such a text frame the transport ends the socket. */
function textOf(data: Buffer): string | FrameFault {
  return isUtf8(data) ? data.toString() : NOT_UTF8;
}
