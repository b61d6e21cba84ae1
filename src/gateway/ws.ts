import { once } from 'node:events';
import { createServer, STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { WebSocketServer, type WebSocket } from 'ws';
import { Connections, UNBOUNDED, type ConnectionPlace } from './connections.js';
import { chosenSubprotocol } from '../protocol/subprotocol.js';
import {
  AMBIGUOUS,
  BodyCollector,
  checked,
  discard,
  Exchange,
  FAILURE,
  HeadReader,
  InFlight,
  isOurVersion,
  isStream,
  KEEP_ALIVE_MS,
  MAX_HEAD,
  NO_SOCKET_HERE,
  TOO_MANY_SOCKETS,
  OTHER_VERSION,
} from './exchange.js';
import {
  beatMs,
  WATCH_PATHS,
  WS_PATHS,
  type HttpAnswer,
  type Listen,
  type Transport,
  type TransportHandlers,
  type TransportOptions,
} from './transport.js';
import { CLOSE_WAIT_MS, Topics, WsSocket } from './ws-socket.js';

const HEAD_MS = 10_000;
/** How often slow requests are looked for: by default so seldom that one lives four times as long as it may. */
const LOOKS_A_HEAD = 5;
/** A connection on which nothing moves for so long ends, whoever it is that waits. */
const UNREAD_MS = 30_000;

/** The transport on node:http and `ws`, for machines without a fitting µWebSockets.js build. */
export const wsTransport: Listen = (options, handlers) => WsTransport.listen(options, handlers);

class WsTransport implements Transport {
  readonly name = 'ws';
  readonly #server;
  readonly #upgrader: WebSocketServer;
  readonly #sockets = new Set<WsSocket>();
  /** TCP connections of WebSockets: they outlive their WsSocket while the close handshake runs. */
  readonly #connections = new Set<Duplex>();
  /** Connections with a request under way. */
  readonly #answering = new WeakSet<Duplex>();
  readonly #inFlight = new InFlight();
  readonly #topics = new Topics();
  readonly #counted: Connections;
  readonly #places = new WeakMap<Duplex, ConnectionPlace>();
  readonly #heartbeat: NodeJS.Timeout;
  #closing = false;

  private constructor(
    private readonly options: TransportOptions,
    private readonly handlers: TransportHandlers,
  ) {
    const { headMs = HEAD_MS } = options;
    this.#server = createServer({
      maxHeaderSize: MAX_HEAD,
      requestTimeout: 30_000,
      headersTimeout: headMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: headMs / LOOKS_A_HEAD,
    });
    this.#upgrader = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      autoPong: false,
      maxPayload: options.frameLimit,
      handleProtocols: (offered) => chosenSubprotocol([...offered].join()) || false,
    });
    this.#counted = new Connections(options.connections ?? UNBOUNDED);
    this.#server.on('connection', (connection) => this.#enter(connection));
    // An answer that is not read ends its connection. A connection holds no answers before that one.
    this.#server.timeout = UNREAD_MS;
    this.#server.on('request', (request, response) => this.#request(request, response));
    this.#server.on('clientError', (error, connection) => this.#malformed(error, connection));
    this.#server.on('upgrade', (request, socket, head) => void this.#upgrade(request, socket, head));
    this.#heartbeat = setInterval(() => this.#beat(), beatMs(options.idleSeconds)).unref();
  }

  static async listen(options: TransportOptions, handlers: TransportHandlers): Promise<Transport> {
    const transport = new WsTransport(options, handlers);
    // Node 22.12 and later share a port; an older one finds it taken.
    const { port, host, shared = false } = options;
    transport.#server.listen({ port, host, ...(shared && { reusePort: true }) });
    try {
      await once(transport.#server, 'listening');
    } catch (cause) {
      clearInterval(transport.#heartbeat);
      throw new Error(`cannot listen on ${options.host}:${options.port}: address in use or not ours`, { cause });
    }
    return transport;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  publish(topic: string, frames: readonly Uint8Array[]): void {
    // A copy for all of them, since the library keeps what a socket does not take at once.
    const copies = frames.map((frame) => Buffer.from(frame));
    for (const socket of this.#topics.of(topic))
      socket.cork(() => copies.forEach((copy) => void socket.sendCopy(copy)));
  }

  async close(code: number, reason: string, graceMs = 2000): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    clearInterval(this.#heartbeat);
    const stopped = once(this.#server, 'close');
    this.#server.close();
    for (const socket of [...this.#sockets]) socket.close(code, reason);
    const timer = setTimeout(() => {
      for (const connection of this.#connections) connection.destroy();
      this.#server.closeAllConnections();
    }, graceMs);
    await this.#inFlight.idle(graceMs);
    this.#server.closeIdleConnections();
    await stopped;
    clearTimeout(timer);
  }

  #enter(connection: Socket): void {
    const place = this.#counted.enter(connection.remoteAddress ?? '');
    if (place === null) return void connection.destroy();
    this.#places.set(connection, place);
    connection.once('close', () => this.#counted.leave(place));
  }

  #request(request: IncomingMessage, response: ServerResponse): void {
    const exchange = exchangeOf(request);
    this.#inFlight.enter();
    this.#answering.add(request.socket);
    response.on('close', () => {
      this.#answering.delete(request.socket);
      if (!response.writableFinished) exchange.abort();
      this.#inFlight.leave();
    });
    const reply = (answer: HttpAnswer) => void this.#reply(response, exchange, answer);
    if (exchange.isAmbiguous) {
      response.shouldKeepAlive = false;
      return reply(AMBIGUOUS);
    }
    const answer = () =>
      void this.handlers.http(exchange).then(reply, (e: unknown) => reply(this.#failure(exchange, e)));
    if (Number(exchange.header('content-length')) > this.options.bodyLimit) {
      exchange.body = null;
      request.resume();
      return answer();
    }
    this.#readBody(request, exchange, answer);
  }

  #readBody(request: IncomingMessage, exchange: Exchange, done: () => void): void {
    const collector = new BodyCollector(this.options.bodyLimit);
    let finished = false;
    const finish = (body: Buffer | null) => {
      if (finished) return;
      finished = true;
      exchange.body = body;
      done();
    };
    request.on('data', (chunk: Buffer) => {
      if (!collector.add(chunk)) finish(null);
    });
    request.on('end', () => finish(collector.body()));
    // A request that breaks off never ends; the response's close event, which follows, clears it away.
    request.on('error', () => exchange.abort());
  }

  #failure(exchange: Exchange, error: unknown): HttpAnswer {
    this.options.log.error({ err: error, method: exchange.method, path: exchange.path }, 'request handler failed');
    return FAILURE;
  }

  async #reply(response: ServerResponse, exchange: Exchange, given: HttpAnswer): Promise<void> {
    if (exchange.aborted) return void discard(given);
    if (this.#closing) response.shouldKeepAlive = false;
    const { status, headers, body } = checked(given, this.options.log);
    if (!isStream(body)) {
      const bodiless = status === 204 || status === 304;
      const length = bodiless ? {} : { 'content-length': body === null ? 0 : Buffer.byteLength(body) };
      response.writeHead(status, { ...headers, ...length }).end(bodiless ? undefined : (body ?? undefined));
      return;
    }
    response.writeHead(status, headers);
    if (exchange.method === 'HEAD') {
      response.end();
      return discard({ body });
    }
    try {
      await pipeline(body, response);
    } catch (error) {
      // pipeline has broken the connection, which tells the client that the body is not whole.
      if (!exchange.aborted) this.options.log.error({ err: error, path: exchange.path }, 'an answer was cut off');
    }
  }

  async #upgrade(request: IncomingMessage, connection: Duplex, head: Buffer): Promise<void> {
    // Each error is followed by 'close', which is handled.
    connection.on('error', () => connection.destroy());
    const exchange = exchangeOf(request);
    const refusal = await this.#refusal(exchange);
    if (refusal) return refuse(connection, refusal);
    const place = this.#places.get(connection);
    const counts = place === undefined || this.#counted.upgrade(place, this.handlers.clientKey(exchange));
    if (!counts) return refuse(connection, TOO_MANY_SOCKETS);
    this.#upgrader.handleUpgrade(request, connection, head, (ws) => this.#open(ws, connection, exchange));
  }

  async #refusal(exchange: Exchange): Promise<HttpAnswer | null> {
    if (exchange.isAmbiguous) return AMBIGUOUS;
    if (![...WS_PATHS, ...WATCH_PATHS].includes(exchange.path)) return NO_SOCKET_HERE;
    return isOurVersion(exchange) ? this.#admit(exchange) : OTHER_VERSION;
  }

  /** Bytes that are no request, or a head that is too long. */
  #malformed(error: NodeJS.ErrnoException, connection: Duplex): void {
    // In the midst of an answer nothing may be put in between.
    if (!connection.writable || this.#answering.has(connection)) return void connection.destroy();
    refuse(connection, refusalOf(error.code));
  }

  async #admit(exchange: Exchange): Promise<HttpAnswer | null> {
    this.#inFlight.enter();
    try {
      return await this.handlers.admit(exchange);
    } catch (error) {
      return this.#failure(exchange, error);
    } finally {
      this.#inFlight.leave();
    }
  }

  #open(ws: WebSocket, connection: Duplex, exchange: Exchange): void {
    this.#connections.add(connection);
    connection.once('close', () => this.#connections.delete(connection));
    const socket = new WsSocket(ws, connection, {
      bufferLimit: this.options.bufferLimit,
      topics: this.#topics,
      onClosed: () => this.#sockets.delete(socket),
    });
    this.#sockets.add(socket);
    socket.listener = this.handlers.open(socket, exchange);
    if (this.#closing) socket.close(1012, 'server is restarting');
  }

  #beat(): void {
    const beats = (this.options.idleSeconds * 1000) / beatMs(this.options.idleSeconds);
    for (const socket of this.#sockets) {
      if (++socket.quietBeats > beats) socket.drop();
      else socket.ping();
    }
  }
}

function exchangeOf(request: IncomingMessage): Exchange {
  const head = new HeadReader();
  const raw = request.rawHeaders;
  for (let i = 0; i < raw.length; i += 2) head.add(raw[i]!.toLowerCase(), raw[i + 1]!);
  const url = request.url ?? '';
  const mark = url.indexOf('?');
  const { headers, isAmbiguous } = head;
  const read = {
    method: request.method ?? '',
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    remote: request.socket.remoteAddress ?? '',
    headers,
  };
  return new Exchange(read, isAmbiguous);
}

/** By the parser's codes. */
function refusalOf(code: string | undefined): HttpAnswer {
  const [status, detail] =
    code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'Request header fields too large']
      : code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'The request took too long']
        : [400, 'Not an HTTP request'];
  return { status, headers: NO_SOCKET_HERE.headers, body: JSON.stringify({ detail }) };
}

/** Answers in plain HTTP and ends the connection, soon also where the other end does not: no timeout of HTTP holds here. */
function refuse(connection: Duplex, { status, headers, body }: HttpAnswer): void {
  const text = typeof body === 'string' ? body : '';
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(text), connection: 'close' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  connection.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${text}`);
  const end = setTimeout(() => connection.destroy(), CLOSE_WAIT_MS).unref();
  connection.once('close', () => clearTimeout(end));
}
