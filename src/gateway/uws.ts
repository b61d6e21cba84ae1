import { setImmediate as immediate, setTimeout as delay } from 'node:timers/promises';
import { LibraryConnections, UNBOUNDED } from './connections.js';
import {
  AMBIGUOUS,
  BodyCollector,
  Exchange,
  FAILURE,
  HeadReader,
  InFlight,
  isOurVersion,
  NO_SOCKET_HERE,
  OTHER_VERSION,
  TOO_MANY_SOCKETS,
} from './exchange.js';
import { chosenSubprotocol } from '../protocol/subprotocol.js';
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
import { Anchor } from './uws-anchor.js';
import { UwsReply } from './uws-reply.js';
import { UwsSocket, type UserData } from './uws-socket.js';
import type {
  UwsBehavior,
  UwsContext,
  UwsListenSocket,
  UwsModule,
  UwsRequest,
  UwsResponse,
  UwsWebSocket,
} from './uws-types.js';

/** How long closed sockets may take to bring their last bytes and close frame over before the app itself closes. */
const LINGER_MS = 100;

/** The transport on µWebSockets.js, for a module that the loader found. */
export const uwsTransport =
  (uws: UwsModule): Listen =>
  (options, handlers) =>
    UwsTransport.listen(uws, options, handlers);

class UwsTransport implements Transport {
  readonly name = 'uws';
  readonly #app;
  readonly #sockets = new Set<UwsSocket>();
  readonly #inFlight = new InFlight();
  readonly #heartbeat: NodeJS.Timeout;
  readonly #anchor;
  readonly #connections;
  #listener: UwsListenSocket | null = null;
  #closing = false;
  port = 0;

  constructor(
    private readonly uws: UwsModule,
    private readonly options: TransportOptions,
    private readonly handlers: TransportHandlers,
  ) {
    this.#app = uws.App();
    this.#anchor = new Anchor(uws);
    this.#connections = new LibraryConnections(options.connections ?? UNBOUNDED);
    this.#app.filter((response, count) => this.#counted(response, count));
    this.#heartbeat = setInterval(() => this.#beat(), beatMs(options.idleSeconds)).unref();
    for (const path of [...WS_PATHS, ...WATCH_PATHS]) this.#app.ws(path, this.#behavior());
    this.#app.any('/*', (response, request) => this.#request(response, request));
  }

  static async listen(uws: UwsModule, options: TransportOptions, handlers: TransportHandlers): Promise<Transport> {
    const transport = new UwsTransport(uws, options, handlers);
    const { host, port, shared = false } = options;
    const how = shared ? uws.LIBUS_LISTEN_DEFAULT : uws.LIBUS_LISTEN_EXCLUSIVE_PORT;
    await new Promise<void>((resolve, reject) => {
      transport.#app.listen(host, port, how, (socket) => {
        if (socket === false) return reject(new Error(`cannot listen on ${host}:${port}: address in use or not ours`));
        transport.#listener = socket;
        transport.port = uws.us_socket_local_port(socket);
        resolve();
      });
    });
    return transport;
  }

  publish(topic: string, frames: readonly Uint8Array[]): void {
    for (const frame of frames) this.#app.publish(topic, frame, false);
  }

  async close(code: number, reason: string, graceMs = 2000): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    clearInterval(this.#heartbeat);
    this.#connections.close();
    if (this.#listener) this.uws.us_listen_socket_close(this.#listener);
    const hadSockets = this.#sockets.size > 0;
    for (const socket of this.#sockets) socket.close(code, reason);
    await this.#inFlight.idle(graceMs);
    if (hadSockets) await delay(Math.min(LINGER_MS, graceMs));
    // A handler's writes leave only when the library is in charge again, and this may still run inside a handler.
    await immediate();
    this.#anchor.close();
    this.#app.close();
  }

  /** The library pings only just before it gives a peer up; proxies in between want life sooner than that. */
  #beat(): void {
    for (const socket of this.#sockets) socket.ping();
  }

  #counted(response: UwsResponse, count: number): void {
    if (count < 0) return this.#connections.closed();
    const release = this.#connections.opened(remoteOf(response));
    // A request takes this handler's place.
    if (release !== null) response.onAborted(release);
    else response.close();
  }

  #request(response: UwsResponse, request: UwsRequest): void {
    const exchange = exchangeOf(response, request);
    this.#inFlight.enter();
    const over = this.#connections.requested(exchange.remote);
    const reply = new UwsReply(response, exchange, this.options.log, () => {
      this.#inFlight.leave();
      over(!exchange.aborted);
    });
    if (exchange.isAmbiguous) return reply.last(AMBIGUOUS);
    if (exchange.header('upgrade').toLowerCase() === 'websocket') return reply.send(NO_SOCKET_HERE);

    const answer = () => void this.handlers.http(exchange).then((a) => reply.send(a), (e: unknown) => reply.fail(e)); // prettier-ignore
    if (Number(exchange.header('content-length')) > this.options.bodyLimit) {
      exchange.body = null;
      return answer();
    }
    this.#readBody(response, exchange, answer);
  }

  #readBody(response: UwsResponse, exchange: Exchange, done: () => void): void {
    const collector = new BodyCollector(this.options.bodyLimit);
    let finished = false;
    response.onData((chunk, isLast) => {
      if (finished) return;
      const fits = collector.add(Buffer.from(chunk.slice(0)));
      if (fits && !isLast) return;
      finished = true;
      exchange.body = fits ? collector.body() : null;
      done();
    });
  }

  #behavior(): UwsBehavior<UserData> {
    const { frameLimit, idleSeconds, bufferLimit } = this.options;
    return {
      maxPayloadLength: frameLimit,
      idleTimeout: idleSeconds,
      sendPingsAutomatically: true,
      maxBackpressure: bufferLimit,
      closeOnBackpressureLimit: false,
      compression: this.uws.DISABLED,
      upgrade: (response, request, context) => this.#upgrade(response, request, context),
      open: (ws) => this.#open(ws.getUserData().socket, ws),
      message: (ws, message) => ws.getUserData().socket.listener?.message(Buffer.from(message)),
      ping: (ws) => ws.getUserData().socket.listener?.control(),
      pong: (ws) => ws.getUserData().socket.listener?.control(),
      close: (ws, code, reason) => {
        const { socket } = ws.getUserData();
        this.#sockets.delete(socket);
        socket.closed(code, Buffer.from(reason).toString());
      },
    };
  }

  #upgrade(response: UwsResponse, request: UwsRequest, context: UwsContext): void {
    const exchange = exchangeOf(response, request);
    // With `Connection: close` the library would end the socket in the midst of a late upgrade, and go on with it.
    if (!/\bupgrade\b/i.test(exchange.header('connection'))) return void request.setYield(true);
    const key = exchange.header('sec-websocket-key');
    const protocol = chosenSubprotocol(exchange.header('sec-websocket-protocol'));
    const extensions = exchange.header('sec-websocket-extensions');
    const over = this.#connections.requested(exchange.remote);
    const reply = new UwsReply(response, exchange, this.options.log, () => over(!exchange.aborted));
    const client = this.handlers.clientKey(exchange);
    const accept = () => {
      const socket = new UwsSocket(exchange);
      over(false);
      socket.release = this.#connections.upgraded(client);
      response.upgrade({ socket } satisfies UserData, key, protocol, extensions, context);
    };
    if (exchange.isAmbiguous) return reply.last(AMBIGUOUS);
    if (!this.#connections.mayUpgrade(client)) return reply.send(TOO_MANY_SOCKETS);
    if (!isOurVersion(exchange)) return reply.send(OTHER_VERSION);
    const refusal = this.#admit(exchange);
    if (refusal === null) return accept();
    if (!(refusal instanceof Promise)) return reply.send(refusal);
    void refusal.then(async (late) => {
      if (late !== null) return reply.send(late);
      if (this.#sockets.size === 0) await this.#anchor.open();
      if (!exchange.aborted) this.#acceptLate(response, accept);
    });
  }

  /**
   * The manual wants a late upgrade in a cork of its response. But when that is over, the library still looks for the
   * response in memory that the upgrade has given back. It drops the fresh socket if the bytes there say so
   * (uNetworking/uWebSockets#1928, cured in #1929). There is one cork at a time: inside that of another connection the
   * response gets none, and nothing looks back. If there is no other connection (the machine does not reach itself),
   * there is no cork. Then the library prints a harmless warning.
   */
  #acceptLate(response: UwsResponse, accept: () => void): void {
    const [other = this.#anchor.connection] = this.#sockets;
    if (other === null) accept();
    else other.cork(() => response.cork(accept));
  }

  #open(socket: UwsSocket, ws: UwsWebSocket<UserData>): void {
    this.#sockets.add(socket);
    socket.listener = this.handlers.open(socket, socket.opened(ws));
    if (this.#closing) socket.close(1012, 'server is restarting');
  }

  /** At once where the limits are counted in this thread. */
  #admit(exchange: Exchange): HttpAnswer | null | Promise<HttpAnswer | null> {
    const failed = (error: unknown) => {
      this.options.log.error({ err: error }, 'admission of a socket failed');
      return FAILURE;
    };
    try {
      const refusal = this.handlers.admit(exchange);
      if (!(refusal instanceof Promise)) return refusal;
      this.#inFlight.enter();
      return refusal.catch(failed).finally(() => this.#inFlight.leave());
    } catch (error) {
      return failed(error);
    }
  }
}

function exchangeOf(response: UwsResponse, request: UwsRequest): Exchange {
  const head = new HeadReader();
  request.forEach((name, value) => head.add(name, value));
  const { headers, isAmbiguous } = head;
  const read = {
    method: request.getMethod().toUpperCase(),
    path: request.getUrl(),
    query: request.getQuery() ?? '',
    remote: remoteOf(response),
    headers,
  };
  return new Exchange(read, isAmbiguous);
}

const remoteOf = (response: UwsResponse) => Buffer.from(response.getRemoteAddressAsText()).toString('latin1');
