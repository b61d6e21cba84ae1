import type {
  HttpAnswer,
  HttpRequest,
  SocketListener,
  Transport,
  TransportHandlers,
  TransportOptions,
  WireSocket,
} from '../../src/gateway/transport.js';
import type { ServerMessage } from '../../src/protocol/server.js';
import { Broken, ensure } from './broken.js';
import type { Dice } from './dice.js';
import type { Kernel, Thread } from './machine/kernel.js';

/** The client's end of a socket. */
export interface Client {
  receive(messages: readonly ServerMessage[]): void;
  closed(code: number): void;
}

/** A reader of every socket. */
export interface Onlooker {
  /** A frame as the server sent it; the message in it. */
  sent(line: Line, text: string): ServerMessage;
  /** The server ended a socket. */
  closed(code: number): void;
  /** A frame of the client. */
  said(line: Line, text: string): void;
  answered(path: string, answer: HttpAnswer): void;
}

/** The process is gone without a close frame. */
const ABNORMAL = 1006;

export interface Call {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  key?: string;
  body?: object;
  then?: (answer: HttpAnswer) => void;
}

/** Everything between the clients and the front: what a transport library, the kernel's sockets and the wires do. */
export class Network {
  /** The doors of each listening process. */
  readonly #doors = new Set<Door>();

  constructor(
    readonly kernel: Kernel,
    readonly dice: Dice,
    readonly onlooker: Onlooker,
  ) {}

  listen(options: TransportOptions, handlers: TransportHandlers): Promise<Transport> {
    const front = this.kernel.current;
    const door: Door = { handlers, front, bufferLimit: options.bufferLimit, lines: new Set() };
    this.#doors.add(door);
    front.onEnd(() => {
      this.#doors.delete(door);
      for (const line of [...door.lines]) line.cut();
    });
    return Promise.resolve({
      name: 'ws',
      port: 1,
      publish: () => undefined,
      close: (code, reason) => {
        this.#doors.delete(door);
        for (const line of [...door.lines]) line.close(code, reason);
        return Promise.resolve();
      },
    });
  }

  /** Opens a socket; null while nobody listens. */
  dial(key: string, ip: string, agentId: string | null, client: Client): Line | null {
    const door = this.#door();
    if (door === null) return null;
    const { handlers } = door;
    const line = new Line(this, door, client, agentId);
    const request = requestOf('GET', '/ws', ip, { authorization: `Bearer ${key}` }, null);
    door.lines.add(line);
    line.toServer(() => {
      void Promise.resolve(handlers.admit(request)).then((refusal) => {
        if (refusal !== null) line.close(ABNORMAL, 'refused');
        else if (line.isOpen) line.opened(handlers.open(line, request));
      });
    });
    return line;
  }

  /** A REST call. Without an answer the server went down. */
  call({ method, path, key, body, then }: Call): void {
    const { kernel, dice } = this;
    const door = this.#door();
    if (door === null) return;
    const { handlers, front } = door;
    const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const text = body === undefined ? null : Buffer.from(JSON.stringify(body));
    const request = requestOf(method, path, '192.0.2.1', authorization, text);
    const ask = () => {
      void handlers.http(request).then((answer) => {
        this.onlooker.answered(`${method} ${path}`, answer);
        if (then !== undefined) kernel.later(dice.delay(1), () => then(answer));
      });
    };
    kernel.plan(kernel.now + dice.delay(1), ask, front);
  }

  get isUp(): boolean {
    return this.#doors.size > 0;
  }

  /** As a balancer before them finds one. */
  #door(): Door | null {
    const doors = [...this.#doors];
    return doors.length > 1 ? this.dice.pick(doors) : (doors[0] ?? null);
  }
}

/** Where a process listens. */
interface Door {
  handlers: TransportHandlers;
  front: Thread;
  bufferLimit: number;
  lines: Set<Line>;
}

function requestOf(
  method: string,
  path: string,
  ip: string,
  headers: Record<string, string>,
  body: Buffer | null,
): HttpRequest {
  return {
    method,
    path,
    query: '',
    remote: ip,
    body: body ?? Buffer.alloc(0),
    signal: new AbortController().signal,
    headers,
    header: (name) => headers[name] ?? '',
  };
}

/**
 * One socket, both ends. Bytes arrive later and in order. A client that does not read lets the server's buffer grow.
 * All frames of one cork arrive together.
 */
export class Line implements WireSocket {
  /** Nobody watches in these worlds. */
  readonly subscribe = () => undefined;
  readonly unsubscribe = () => undefined;
  /** The onlooker's part of it. */
  readonly #network: Network;
  readonly #door: Door;
  readonly bufferLimit: number;
  readonly #client: Client;
  #listener: SocketListener | null = null;
  /** Said while another node was asked whether the socket may open. */
  #early: (string | Buffer)[] = [];
  #serverOpen = true;
  #clientOpen = true;
  #upArrival = 0;
  #downArrival = 0;
  #burst: ServerMessage[] | null = null;
  #unread: ServerMessage[][] = [];
  #unreadBytes = 0;
  /** Since when the client reads; Infinity while it does not. */
  readingSince = 0;
  #closeCode: number | null = null;
  /** Typical time on the way, in ms. */
  readonly #latency: number;

  constructor(
    network: Network,
    door: Door,
    client: Client,
    /** The agent of the key that opened it. */
    readonly agentId: string | null,
  ) {
    this.#network = network;
    this.#door = door;
    this.bufferLimit = door.bufferLimit;
    this.#client = client;
    this.#latency = network.dice.pick([0.1, 1, 5]);
  }

  // The server's end.

  /** The thread that holds it. */
  get front(): Thread {
    return this.#door.front;
  }

  get isOpen(): boolean {
    return this.#serverOpen;
  }

  opened(listener: SocketListener): void {
    this.#listener = listener;
    for (const frame of this.#early.splice(0)) if (this.#serverOpen) listener.message(Buffer.from(frame));
    if (!this.#clientOpen) this.#lost();
  }

  send(frame: string | Uint8Array): boolean {
    ensure(this.#serverOpen || this.#closeCode === null, () => `a frame after the close: ${textOf(frame)}`);
    if (!this.#serverOpen) return true;
    if (this.#unreadBytes > this.bufferLimit) return false;
    const text = textOf(frame);
    const message = this.#network.onlooker.sent(this, text);
    if (!this.#reads) this.#unreadBytes += text.length;
    if (this.#burst !== null) this.#burst.push(message);
    else this.#deliver([message]);
    return true;
  }

  cork(write: () => void): void {
    const burst: ServerMessage[] = [];
    this.#burst = burst;
    write();
    this.#burst = null;
    if (burst.length > 0) this.#deliver(burst);
  }

  buffered(): number {
    return this.#unreadBytes;
  }

  close(code: number, _reason: string): void {
    if (!this.#serverOpen) return;
    this.#closeCode = code;
    this.#network.onlooker.closed(code);
    this.#lost(code);
    if (this.#reads) this.#tellClosed(code);
  }

  /** The socket is gone for the server. */
  #lost(code = ABNORMAL): void {
    if (!this.#serverOpen) return;
    this.#serverOpen = false;
    this.#door.lines.delete(this);
    this.#listener?.closed(code, '');
  }

  /** The server is gone. */
  cut(): void {
    this.#serverOpen = false;
    this.#door.lines.delete(this);
    this.#tellClosed(ABNORMAL);
  }

  #deliver(messages: ServerMessage[]): void {
    if (!this.#reads) {
      this.#unread.push(messages);
      return;
    }
    this.#toClient(() => this.#client.receive(messages));
  }

  #tellClosed(code: number): void {
    this.#toClient(() => {
      this.#clientOpen = false;
      this.#client.closed(code);
    });
  }

  #toClient(run: () => void): void {
    const { kernel, dice } = this.#network;
    this.#downArrival = Math.max(this.#downArrival, kernel.now + dice.delay(this.#latency));
    kernel.later(this.#downArrival - kernel.now, () => {
      if (this.#clientOpen) run();
    });
  }

  // The client's end.

  say(frame: string | Buffer): void {
    if (!this.#clientOpen) throw new Broken('a client speaks after the end');
    this.#network.onlooker.said(this, String(frame));
    this.toServer(() => {
      if (!this.#serverOpen) return;
      if (this.#listener === null) this.#early.push(frame);
      else this.#listener.message(Buffer.from(frame));
    });
  }

  hangUp(): void {
    this.#clientOpen = false;
    this.toServer(() => this.#lost());
  }

  get #reads(): boolean {
    return this.readingSince < Infinity;
  }

  /** Stops reading for so long; what comes meanwhile is read afterwards. */
  pause(ms: number): void {
    this.readingSince = Infinity;
    this.#network.kernel.later(ms, () => this.resume());
  }

  resume(): void {
    if (this.#reads) return;
    this.readingSince = this.#network.kernel.now;
    this.#unreadBytes = 0;
    for (const messages of this.#unread.splice(0)) this.#deliver(messages);
    if (this.#closeCode !== null) this.#tellClosed(this.#closeCode);
  }

  toServer(run: () => void): void {
    const { kernel, dice } = this.#network;
    this.#upArrival = Math.max(this.#upArrival, kernel.now + dice.delay(this.#latency));
    kernel.plan(this.#upArrival, run, this.#door.front);
  }
}

const textOf = (frame: string | Uint8Array) =>
  typeof frame === 'string' ? frame : Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength).toString();
