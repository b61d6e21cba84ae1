import type { Release } from './connections.js';
import type { Exchange } from './exchange.js';
import type { SocketListener, WireSocket } from './transport.js';
import type { UwsWebSocket } from './uws-types.js';

/** The library's data of a socket. It is a plain object: the library copies the properties and drops the prototype. */
export interface UserData {
  socket: UwsSocket;
}

/** The library's socket with a guard: after its close handler ran it must not be touched. */
export class UwsSocket implements WireSocket {
  #ws: UwsWebSocket<UserData> | null = null;
  listener: SocketListener | null = null;
  /** Called once it has closed. */
  release: Release = () => undefined;

  constructor(private exchange: Exchange | null) {}

  /** Takes the open socket, and gives away the request that opened it. */
  opened(ws: UwsWebSocket<UserData>): Exchange {
    const { exchange } = this;
    if (exchange === null) throw new Error('a socket opens once');
    this.#ws = ws;
    this.exchange = null;
    return exchange;
  }

  send(frame: string | Uint8Array): boolean {
    return this.#ws === null || this.#ws.send(frame, false) !== 2;
  }

  cork(write: () => void): void {
    this.#ws?.cork(write);
  }

  subscribe(topic: string): void {
    this.#ws?.subscribe(topic);
  }

  unsubscribe(topic: string): void {
    this.#ws?.unsubscribe(topic);
  }

  ping(): void {
    this.#ws?.ping();
  }

  buffered(): number {
    return this.#ws === null ? 0 : this.#ws.getBufferedAmount();
  }

  close(code: number, reason: string): void {
    this.#ws?.end(code, reason);
  }

  closed(code: number, reason: string): void {
    this.#ws = null;
    this.listener?.closed(code, reason);
    this.listener = null;
    this.release();
  }
}
