import { createHash, randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { closeFrame, FrameReader, pongFrame, textFrame } from './wire.js';

export interface Target {
  host: string;
  port: number;
}

export interface SocketListener {
  /** So many bytes arrived; their frames follow. */
  chunk(bytes: number): void;
  /** The payload of a frame is bytes[start, end), valid during the call only. */
  text(bytes: Buffer, start: number, end: number): void;
  /** The server ended it, with this close code (1006: without one). Not told after our own `close`. */
  closed(code: number): void;
}

/** One for all sockets: whatever was read is looked at before the next read. */
const READ_BUFFER = Buffer.allocUnsafeSlow(256 * 1024);
const HEADERS_END = '\r\n\r\n';
/** From RFC 6455, 1.3. */
const ACCEPT_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** A WebSocket on a bare TCP socket, without a stream, an event or a string for each frame. */
export class LeanSocket {
  /** Resolves when the server has accepted the socket; rejects when it has not. */
  readonly opened: Promise<void>;
  readonly #tcp: Socket;
  readonly #frames: FrameReader;
  readonly #accept: string;
  /** The server's answer as far as it came; null once it is complete. */
  #answer: string | null = '';
  #accepted: () => void = () => undefined;
  #refused: (error: Error) => void = () => undefined;
  #code = 1006;
  #ours = false;

  /** `from` is the local address: one address has ports for some 28,000 sockets. */
  constructor(
    target: Target,
    apiKey: string,
    private readonly listener: SocketListener,
    from?: string,
  ) {
    const key = randomBytes(16).toString('base64');
    this.#accept = createHash('sha1').update(`${key}${ACCEPT_GUID}`).digest('base64');
    this.opened = new Promise((resolve, reject) => ([this.#accepted, this.#refused] = [resolve, reject]));
    this.#frames = new FrameReader({
      text: (bytes, start, end) => this.listener.text(bytes, start, end),
      ping: (payload) => this.#tcp.write(pongFrame(payload)),
      close: (code) => {
        this.#code = code;
        this.#tcp.end(closeFrame());
      },
    });
    this.#tcp = connect({
      ...target,
      noDelay: true,
      ...(from === undefined ? {} : { localAddress: from }),
      onread: { buffer: READ_BUFFER, callback: (length) => this.#read(READ_BUFFER.subarray(0, length)) },
    });
    this.#tcp.write(upgradeRequest(target, apiKey, key));
    this.#tcp.on('error', (error) => this.#refused(error));
    this.#tcp.on('close', () => this.#closed());
  }

  /** ASCII only. */
  send(text: string): void {
    this.#tcp.write(textFrame(text));
  }

  close(): void {
    this.#ours = true;
    this.#tcp.end(closeFrame());
  }

  #closed(): void {
    this.#refused(new Error('the server closed the connection instead of accepting the socket'));
    if (!this.#ours) this.listener.closed(this.#code);
  }

  /** True: go on reading. */
  #read(chunk: Buffer): true {
    const frames = this.#answer === null ? chunk : this.#shakeHands(this.#answer + chunk.toString('latin1'));
    if (frames.length > 0) {
      this.listener.chunk(frames.length);
      this.#frames.read(frames);
    }
    return true;
  }

  /** Returns what came behind the server's answer. */
  #shakeHands(answer: string): Buffer {
    const end = answer.indexOf(HEADERS_END);
    this.#answer = end < 0 ? answer : null;
    if (end < 0) return Buffer.alloc(0);
    if (answer.startsWith('HTTP/1.1 101') && answer.includes(this.#accept)) this.#accepted();
    else this.#tcp.destroy(new Error(`the server refused the socket: ${answer.slice(0, 200)}`));
    return Buffer.from(answer.slice(end + HEADERS_END.length), 'latin1');
  }
}

const upgradeRequest = ({ host, port }: Target, apiKey: string, key: string): string =>
  [
    'GET /ws HTTP/1.1',
    `Host: ${host}:${port}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Key: ${key}`,
    'Sec-WebSocket-Version: 13',
    `Authorization: Bearer ${apiKey}`,
  ].join('\r\n') + HEADERS_END;
