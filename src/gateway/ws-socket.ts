import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { CloseCode } from '../protocol/codes.js';
import { ABNORMAL } from '../protocol/mishap.js';
import type { SocketListener, WireSocket } from './transport.js';

/** For the last frames to arrive, before a connection ends whether or not the other side ends it. */
export const CLOSE_WAIT_MS = 1000;

/** One socket of the fallback transport. Like the native one it counts as closed as soon as `close` is called. */
export class WsSocket implements WireSocket {
  listener: SocketListener | null = null;
  /** Heartbeats since the peer was last heard. */
  quietBeats = 0;
  #open = true;

  constructor(
    private readonly ws: WebSocket,
    private readonly connection: Duplex,
    private readonly options: { bufferLimit: number; topics: Topics; onClosed: () => void },
  ) {
    ws.on('message', (data: RawData) => {
      this.quietBeats = 0;
      // Always one Buffer: binaryType is the default `nodebuffer`.
      if (this.#open) this.listener?.message(data as Buffer);
    });
    const control = () => {
      this.quietBeats = 0;
      if (this.#open) this.listener?.control();
    };
    ws.on('pong', control);
    ws.on('ping', (payload: Buffer) => {
      control();
      // By hand: the library would drop who sends many at once, without a word.
      if (this.#open) ws.pong(payload);
    });
    ws.on('close', (code, reason: Buffer) => this.#closed(code, reason.toString()));
    // A frame against the protocol: the library answers with the fitting close code and `close` follows.
    ws.on('error', () => undefined);
  }

  send(frame: string | Uint8Array): boolean {
    if (!this.#open) return true;
    // A copy, since the library keeps what the socket does not take at once, and the caller uses the bytes again.
    return this.sendCopy(typeof frame === 'string' ? frame : Buffer.from(frame));
  }

  /** As `send`, of bytes that nobody uses again. */
  sendCopy(frame: string | Buffer): boolean {
    if (!this.#open) return true;
    if (this.ws.bufferedAmount > this.options.bufferLimit) return false;
    this.ws.send(frame, { binary: false });
    return true;
  }

  subscribe(topic: string): void {
    if (this.#open) this.options.topics.add(topic, this);
  }

  unsubscribe(topic: string): void {
    this.options.topics.delete(topic, this);
  }

  cork(write: () => void): void {
    if (!this.#open) return;
    this.connection.cork();
    write();
    this.connection.uncork();
  }

  buffered(): number {
    return this.#open ? this.ws.bufferedAmount : 0;
  }

  close(code: number, reason: string): void {
    if (!this.#open) return;
    this.ws.close(code, reason);
    // The last read is still parsed to its end. Nothing more is read from a socket that floods.
    if (code === CloseCode.flooding) this.#ignoreMessages();
    this.#closed(code, reason);
  }

  /** Reads no more, and ends the connection once the close frame has had its time. */
  #ignoreMessages(): void {
    this.ws.pause();
    const end = setTimeout(() => this.ws.terminate(), CLOSE_WAIT_MS).unref();
    this.ws.once('close', () => clearTimeout(end));
  }

  ping(): void {
    if (this.#open) this.ws.ping();
  }

  /** Ends a dead peer's connection without a handshake. */
  drop(): void {
    this.ws.terminate();
    this.#closed(ABNORMAL.code, '');
  }

  #closed(code: number, reason: string): void {
    if (!this.#open) return;
    this.#open = false;
    this.options.topics.gone(this);
    this.options.onClosed();
    this.listener?.closed(code, reason);
    this.listener = null;
  }
}

/** Which sockets subscribe to what. */
export class Topics {
  readonly #sockets = new Map<string, Set<WsSocket>>();

  add(topic: string, socket: WsSocket): void {
    const sockets = this.#sockets.get(topic) ?? new Set();
    this.#sockets.set(topic, sockets.add(socket));
  }

  delete(topic: string, socket: WsSocket): void {
    const sockets = this.#sockets.get(topic);
    if (sockets?.delete(socket) === true && sockets.size === 0) this.#sockets.delete(topic);
  }

  gone(socket: WsSocket): void {
    for (const topic of [...this.#sockets.keys()]) this.delete(topic, socket);
  }

  of(topic: string): Iterable<WsSocket> {
    return this.#sockets.get(topic) ?? [];
  }
}
