import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as immediate } from 'node:timers/promises';
import { encodeFrame, FrameReader, Opcode } from './wire.js';

/** How a connection ended: with a close frame, in plain HTTP instead of an upgrade, or without a word. */
export type Ending =
  { how: 'close'; code: number; reason: string } | { how: 'refused'; status: number } | { how: 'drop' };

export interface Target {
  host: string;
  port: number;
  /** Local address to connect from. */
  from?: string;
}

export interface RawListener {
  /** The upgrade was granted. Bytes sent from here reach the server before it has read the key. */
  open?(): void;
  text?(text: string): void;
  pong?(): void;
}

const HEAD_END = '\r\n\r\n';
const CLOSE = encodeFrame({ opcode: Opcode.close, payload: Buffer.from([0x03, 0xe8]) });

/** A WebSocket client that sends whatever bytes it is told to. */
export class RawSocket {
  /** Resolves when the connection is gone; never rejects. */
  readonly ended: Promise<Ending>;
  /** The server's breach of the protocol, if any. */
  fault: Error | null = null;
  #socket: Socket;
  #reader: FrameReader | null = null;
  #head = Buffer.alloc(0);
  #ending: Ending | null = null;
  #gone = false;

  constructor(
    { host, port, from }: Target,
    headers: Readonly<Record<string, string>>,
    private readonly listener: RawListener,
    path = '/ws',
  ) {
    this.#socket = connect({ host, port, noDelay: true, ...(from === undefined ? {} : { localAddress: from }) });
    this.ended = new Promise((resolve) => {
      this.#socket.once('close', () => {
        this.#gone = true;
        resolve(this.#ending ?? { how: 'drop' });
      });
    });
    // Each error of a connection is followed by its end, which `ended` tells.
    this.#socket.on('error', () => this.#socket.destroy());
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#socket.write(upgradeRequest(`${host}:${port}`, path, headers));
  }

  /** Whether the connection is gone or about to go: nothing that is sent now will be answered. */
  get over(): boolean {
    return this.#gone || this.#ending !== null;
  }

  send(bytes: Uint8Array): void {
    if (!this.#gone) this.#socket.write(bytes);
  }

  /** The same; resolves once the network took it all, or the connection is gone. */
  async pour(bytes: Uint8Array): Promise<void> {
    if (this.#gone || this.#socket.write(bytes)) return immediate();
    await Promise.race([once(this.#socket, 'drain').catch(() => undefined), this.ended]);
  }

  /** Stops or goes on reading: what the server sends meanwhile stays with it. */
  read(reads: boolean): void {
    if (reads) this.#socket.resume();
    else this.#socket.pause();
  }

  /** Closes as a well-behaved client does. */
  async close(): Promise<Ending> {
    this.send(CLOSE);
    return this.ended;
  }

  /** Ends the own half of the connection (FIN). */
  half(): void {
    this.#socket.end();
  }

  /** Is gone at once, with a reset where `reset` is set. */
  destroy(reset = false): void {
    if (reset) this.#socket.resetAndDestroy();
    else this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    try {
      if (this.#reader === null) this.#readHead(chunk);
      else this.#readFrames(this.#reader, chunk);
    } catch (error) {
      this.fault ??= error as Error;
      this.#socket.destroy();
    }
  }

  #readHead(chunk: Buffer): void {
    this.#head = Buffer.concat([this.#head, chunk]);
    const end = this.#head.indexOf(HEAD_END);
    if (end < 0) return;
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(this.#head.toString('latin1'))?.[1]);
    if (status !== 101) {
      this.#ending = { how: 'refused', status };
      return;
    }
    this.#reader = new FrameReader();
    this.listener.open?.();
    this.#readFrames(this.#reader, this.#head.subarray(end + HEAD_END.length));
  }

  #readFrames(reader: FrameReader, chunk: Buffer): void {
    for (const { opcode, payload } of reader.read(chunk)) {
      if (opcode === Opcode.text) this.listener.text?.(payload.toString());
      else if (opcode === Opcode.pong) this.listener.pong?.();
      else if (opcode === Opcode.ping) this.send(encodeFrame({ opcode: Opcode.pong, payload }));
      else if (opcode === Opcode.close) this.#closed(payload);
      else throw new Error(`a frame of the server with opcode ${opcode}`);
    }
  }

  #closed(payload: Buffer): void {
    const code = payload.length >= 2 ? payload.readUInt16BE(0) : 1005;
    this.#ending ??= { how: 'close', code, reason: payload.subarray(2).toString() };
    this.send(CLOSE);
    this.#socket.end();
  }
}

function upgradeRequest(host: string, path: string, headers: Readonly<Record<string, string>>): string {
  const all = {
    host,
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-version': '13',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}
