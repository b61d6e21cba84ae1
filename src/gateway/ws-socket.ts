import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { CloseCode } from '../protocol/codes.js';
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
    private readonly bufferLimit: number,
    private readonly onClosed: () => void,
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
    ws.on('close', () => this.#closed());
    // A frame against the protocol: the library answers with the fitting close code and `close` follows.
    ws.on('error', () => undefined);
  }

  send(frame: string | Uint8Array): boolean {
    if (!this.#open) return true;
    if (this.ws.bufferedAmount > this.bufferLimit) return false;
    // A copy, since the library keeps what the socket does not take at once, and the caller uses the bytes again.
    this.ws.send(typeof frame === 'string' ? frame : Buffer.from(frame), { binary: false });
    return true;
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
    // What is in the last read is parsed to its end all the same, and nothing more is read of one that floods.
    if (code === CloseCode.flooding) this.#deafen();
    this.#closed();
  }

  /** Reads no more, and ends the connection once the close frame has had its time. */
  #deafen(): void {
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
    this.#closed();
  }

  #closed(): void {
    if (!this.#open) return;
    this.#open = false;
    this.onClosed();
    this.listener?.closed();
    this.listener = null;
  }
}
