import { createHash, randomBytes } from 'node:crypto';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { LEAN_SUBPROTOCOL } from '../protocol/subprotocol.js';
import { closeFrame, FrameReader, pongFrame, textFrame } from './wire.js';

export interface Target {
  host: string;
  port: number;
  /** Over TLS. Node's rules check its certificate. */
  tls?: boolean;
  /** `/ws` where nothing else is said. */
  path?: string;
}

/** The server answered a request for a socket with something else. */
export class SocketRefused extends Error {
  /** `retryAfterMs`: how long it asks to be left alone; null where it says nothing. */
  constructor(
    readonly status: number,
    readonly retryAfterMs: number | null,
    answer: string,
  ) {
    super(`the server refused the socket: ${answer}`);
  }
}

export interface LoadSocketListener {
  /** So many bytes arrived; their frames follow. */
  chunk(bytes: number): void;
  /** The payload of a frame is bytes[start, end), valid during the call only. */
  text(bytes: Buffer, start: number, end: number): void;
  /** The server ended an open socket, with this close code (1006: without one). Not told after our own `close`. */
  closed(code: number): void;
  /** It sent what is no frame that we know; `closed` follows. */
  broken(what: string): void;
}

export interface SocketOptions {
  /** Local address: one address has ports for some 28,000 sockets. */
  from?: string | undefined;
  /** Asks for lean frames (protocol.md, "Lean"); a server that has none is refused. */
  lean?: boolean;
}

/** One for all sockets: whatever was read is looked at before the next read. */
const READ_BUFFER = Buffer.allocUnsafeSlow(256 * 1024);
const LEAN_ANSWER = new RegExp(`^sec-websocket-protocol: *${LEAN_SUBPROTOCOL.replaceAll('.', '\\.')}\\s*$`, 'im');
const HEADERS_END = '\r\n\r\n';
/** From RFC 6455, 1.3. */
const ACCEPT_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** A WebSocket on a bare TCP socket, without a stream, an event or a string for each frame. */
export class BareSocket {
  /** Resolves when the server has accepted the socket; rejects when it has not. */
  readonly opened: Promise<void>;
  readonly #tcp: Socket;
  readonly #frames: FrameReader;
  readonly #accept: string;
  readonly #lean: boolean;
  /** The server's answer as far as it came; null once it is complete. */
  #answer: string | null = '';
  #accepted: () => void = () => undefined;
  #refused: (error: Error) => void = () => undefined;
  #isOpen = false;
  #code = 1006;
  #ours = false;

  constructor(
    target: Target,
    apiKey: string,
    private readonly listener: LoadSocketListener,
    { from, lean = false }: SocketOptions = {},
  ) {
    this.#lean = lean;
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
    this.#tcp = this.#connect(target, from);
    this.#tcp.write(upgradeRequest(target, apiKey, key, lean));
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

  #connect({ host, port, tls }: Target, from: string | undefined): Socket {
    const local = from === undefined ? {} : { localAddress: from };
    if (tls !== true) {
      const onread = { buffer: READ_BUFFER, callback: (length: number) => this.#read(READ_BUFFER.subarray(0, length)) };
      return connect({ host, port, noDelay: true, ...local, onread });
    }
    const socket = connectTls({
      host,
      port,
      ALPNProtocols: ['http/1.1'],
      ...local,
      ...(isIP(host) ? {} : { servername: host }),
    });
    return socket.setNoDelay(true).on('data', (chunk: Buffer) => this.#read(chunk));
  }

  #closed(): void {
    this.#refused(new Error('the server closed the connection instead of accepting the socket'));
    if (this.#isOpen && !this.#ours) this.listener.closed(this.#code);
  }

  /** True: go on reading. */
  #read(chunk: Buffer): true {
    const frames = this.#answer === null ? chunk : this.#shakeHands(this.#answer + chunk.toString('latin1'));
    if (frames.length === 0 || !this.#isOpen) return true;
    this.listener.chunk(frames.length);
    try {
      this.#frames.read(frames);
    } catch (error) {
      this.listener.broken((error as Error).message);
      this.#tcp.destroy();
    }
    return true;
  }

  /** Returns what came behind the server's answer. */
  #shakeHands(answer: string): Buffer {
    const end = answer.indexOf(HEADERS_END);
    this.#answer = end < 0 ? answer : null;
    if (end < 0) return Buffer.alloc(0);
    if (answer.startsWith('HTTP/1.1 101') && answer.includes(this.#accept)) {
      if (this.#lean && !LEAN_ANSWER.test(answer.slice(0, end + 2))) {
        this.#tcp.destroy(new Error('the server has no lean frames'));
        return Buffer.alloc(0);
      }
      this.#isOpen = true;
      this.#accepted();
    } else this.#tcp.destroy(refusalOf(answer));
    return Buffer.from(answer.slice(end + HEADERS_END.length), 'latin1');
  }
}

function refusalOf(answer: string): SocketRefused {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
  const seconds = /^retry-after: *(\d+)\s*$/im.exec(answer)?.[1];
  return new SocketRefused(status, seconds === undefined ? null : 1000 * Number(seconds), answer.slice(0, 200));
}

const upgradeRequest = ({ host, port, path = '/ws' }: Target, apiKey: string, key: string, lean: boolean): string =>
  [
    `GET ${path} HTTP/1.1`,
    `Host: ${host.includes(':') ? `[${host}]` : host}:${port}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Key: ${key}`,
    'Sec-WebSocket-Version: 13',
    `Authorization: Bearer ${apiKey}`,
    ...(lean ? [`Sec-WebSocket-Protocol: ${LEAN_SUBPROTOCOL}`] : []),
  ].join('\r\n') + HEADERS_END;
