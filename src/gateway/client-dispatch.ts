import { SLOW_DOWN } from '../protocol/codes.js';
import type { PlainErrorCode } from '../protocol/messages/session.js';
import { MAX_FRAME_TEXT, mishapOf } from '../protocol/mishap.js';
import { isBotVersion } from '../protocol/common.js';
import type {
  ActionMessage,
  ClientMessage,
  DealNonceMessage,
  JoinLobbyMessage,
  ResyncRequestMessage,
} from '../protocol/client.js';
import { errorMessage, type ServerMessage } from '../protocol/server.js';
import type { SocketId } from '../table/api.js';
import { FloodGuard } from '../table/seats/flood.js';
import { FrameFault, readFrame } from './client-frames.js';
import type { Registry, ShardLink, TableRoute } from './ports.js';
import { SeatNews } from './seat-news.js';

const RESYNC_INTERVAL_MS = 1000;
/** One of 20 messages a second may be a rebuy, and one a set_auto_rebuy (protocol.md, "Limits of a socket"). */
const REBUYS_A_MESSAGE = 1 / 20;

/** Where messages go, and what of them is limited or counted. */
export interface DispatchHost {
  readonly registry: Registry;
  link(shard: number): ShardLink;
  readonly messagesPerSecond: number;
  /** ms of a clock that never goes back. */
  now(): number;
  readonly stats: { invalid: number };
}

/** The socket of the messages, and the receiver of the immediate answers. */
export interface AnsweredSocket {
  readonly id: SocketId;
  send(message: ServerMessage): void;
}

/** Passes the messages of an admitted client to its table or to the registry. */
export class ClientDispatch {
  #nextResync = -Infinity;
  readonly #nextRebuy = { rebuy: -Infinity, set_auto_rebuy: -Infinity };
  #flood: FloodGuard | null = null;
  readonly seatNews = new SeatNews();
  #route: TableRoute | null = null;

  constructor(
    readonly agentId: string,
    route: TableRoute | null,
    private readonly socket: AnsweredSocket,
    private readonly host: DispatchHost,
    /** X-Bot-Version: counts for a join that tells no version itself. */
    private readonly botVersion?: string,
  ) {
    this.route = route;
  }

  /** Where its agent sits, or sat last. */
  get route(): TableRoute | null {
    return this.#route;
  }

  set route(route: TableRoute | null) {
    this.seatNews.routed(this.#route, route);
    this.#route = route;
  }

  read(text: string | FrameFault): void {
    const message = typeof text === 'string' ? readFrame(text) : text;
    if (message instanceof FrameFault) this.#fault(message, typeof text === 'string' ? text : null);
    else this.#dispatch(message);
  }

  #dispatch(message: ClientMessage): void {
    const seated = this.#seated();
    switch (message.type) {
      case 'action':
        return this.#act(message);
      case 'leave_table':
        if (seated === null) return this.#toRegistry(message);
        return this.#leave(seated);
      case 'rebuy':
        if (this.#isTooSoon(message.type)) return;
        if (seated === null) return this.#toRegistry(message);
        return this.#rebuy(seated, message.request_id ?? null);
      case 'deal_nonce':
        return this.#nonce(message);
      case 'resync_request':
        return this.#resync(message);
      case 'set_auto_rebuy':
        if (this.#isTooSoon(message.type)) return;
        return this.#toRegistry(message);
      case 'join_lobby':
        return this.#join(message);
    }
  }

  /** A client that seems to have no seat may just have got one: the registry knows. */
  #toRegistry(message: ClientMessage): void {
    this.host.registry.message(this.socket.id, this.agentId, message);
  }

  #join(message: JoinLobbyMessage): void {
    const { botVersion } = this;
    if (botVersion === undefined || (message.version ?? null) !== null) return this.#toRegistry(message);
    if (isBotVersion(botVersion)) return this.#toRegistry({ ...message, version: botVersion });
    this.host.stats.invalid++;
    this.refuse('invalid_message', 'X-Bot-Version: 1 to 32 of A-Z a-z 0-9 . _ -');
  }

  #rebuy({ shard, table }: TableRoute, requestId: string | null): void {
    const { agentId, socket } = this;
    this.host.link(shard).send({ t: 'rebuy', table, agentId, socket: socket.id, requestId });
  }

  #toTable(route: TableRoute, t: 'invalid' | 'detach'): void {
    this.host.link(route.shard).send({ t, table: route.table, agentId: this.agentId, socket: this.socket.id });
  }

  /** Which stay that is the table knows best: this route may be behind it. */
  #leave({ shard, table }: TableRoute): void {
    const { agentId, socket } = this;
    this.host.link(shard).send({ t: 'leave', table, agentId, sitting: null, socket: socket.id });
  }

  #act(message: ActionMessage): void {
    const seated = this.#seated();
    if (seated !== null) {
      const { shard, table } = seated;
      return this.host.link(shard).send({ t: 'act', table, agentId: this.agentId, socket: this.socket.id, message });
    }
    this.#toRegistry(message);
    if (this.route === null) this.#countFault();
  }

  #nonce(message: DealNonceMessage): void {
    const seated = this.#seated();
    if (seated === null) return this.#toRegistry(message);
    const { shard, table } = seated;
    const { agentId, socket } = this;
    this.host.link(shard).send({ t: 'nonce', table, agentId, socket: socket.id, nonce: message.nonce });
  }

  #resync(message: ResyncRequestMessage): void {
    const now = this.host.now();
    if (now < this.#nextResync) {
      return this.refuse('rate_limited', 'At most one resync_request a second; this one was dropped');
    }
    this.#nextResync = now + RESYNC_INTERVAL_MS;
    const { route, agentId, socket } = this;
    if (route?.table !== message.table_id) return this.#toRegistry(message);
    const lastTableSeq = message.last_table_seq ?? null;
    this.host.link(route.shard).send({ t: 'resync', table: route.table, agentId, socket: socket.id, lastTableSeq });
  }

  #isTooSoon(type: 'rebuy' | 'set_auto_rebuy'): boolean {
    const now = this.host.now();
    if (now < this.#nextRebuy[type]) {
      this.refuse('rate_limited', `At most one ${type} a second; this one was dropped`);
      return true;
    }
    this.#nextRebuy[type] = now + 1000 / (REBUYS_A_MESSAGE * this.host.messagesPerSecond);
    return false;
  }

  /** Answers with an error, which is a mishap. */
  refuse(code: PlainErrorCode, words: string, sent: string | null = null): void {
    const message = errorMessage(code, words);
    this.socket.send(message);
    const mishap = mishapOf(message, { sent, tableId: this.route?.table ?? null })!;
    this.host.registry.mishap(this.agentId, mishap);
  }

  #fault({ code, message }: FrameFault, sent: string | null): void {
    this.host.stats.invalid++;
    this.refuse(code, message, sent === null ? null : sent.slice(0, MAX_FRAME_TEXT));
    if (code === 'invalid_message') this.#countFault();
  }

  /**
   * The table counts the faults of its seated players, since it can remove them, and of its last players, since it
   * answers their actions. Other faults count here.
   */
  #countFault(): void {
    if (this.route !== null) return this.#toTable(this.route, 'invalid');
    this.#flood ??= new FloodGuard();
    if (this.#flood.fault(this.host.now()) !== 'warning') return;
    this.refuse('flood_warning', SLOW_DOWN);
  }

  /** The socket is gone: the table holds the seat. */
  detach(): void {
    const seated = this.#seated();
    if (seated !== null) this.#toTable(seated, 'detach');
  }

  #seated(): TableRoute | null {
    return this.route !== null && this.route.seat !== null ? this.route : null;
  }
}
