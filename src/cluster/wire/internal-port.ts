import { assert } from '../../ops/assert.js';
import { once } from 'node:events';
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { WebSocketServer, type WebSocket } from 'ws';
import { BodyCollector, discard, isStream } from '../../gateway/exchange.js';
import type { HttpAnswer, Log } from '../../gateway/transport.js';
import { SIGNATURE_HEADER, type Signatures } from './signature.js';

/** A signed call that another node made. */
export interface NodeCall {
  /** The id of the calling node. */
  from: string;
  body: Buffer;
  /** Aborted when the caller goes away before the answer is complete. */
  signal: AbortSignal;
}

/** Services for other nodes. */
export interface NodeServices {
  /** By path. An answer with a body other than null has a content type. */
  calls: Readonly<Record<string, (call: NodeCall) => Promise<HttpAnswer>>>;
  /** By path. The socket is open. */
  sockets: Readonly<Record<string, (socket: WebSocket, connection: Duplex, from: string) => void>>;
}

/** Certificates of the internal port, in PEM. `ca` is what other nodes' certificates are verified by. */
export interface NodeCertificates {
  key: string | Buffer;
  cert: string | Buffer;
  ca?: string | Buffer;
}

export interface InternalPortOptions extends NodeServices {
  /** `port` 0 takes a free one. */
  address: { host: string; port: number };
  /** https and wss with it. */
  tls?: NodeCertificates;
  signatures: Signatures;
  /** Whether this node's own lease is good. Without one it serves nobody. */
  serves: () => boolean;
  log: Log;
  /** Open connections at most: one each relay, and some for calls. */
  maxConnections?: number;
}

/** A body of 64 KiB with the head of the request that is forwarded. */
export const MOST_CALL_BYTES = 128 * 1024;
/** All that a client may send before its session is there, in base64. */
const MOST_SOCKET_BYTES = 2 * 1024 * 1024;
const MOST_HEAD_BYTES = 16 * 1024;
const MOST_CONNECTIONS = 20_000;
const HEAD_MS = 5_000;
const REQUEST_MS = 10_000;
/** Longer than callers keep an idle connection (peers.ts). */
const KEEP_ALIVE_MS = 30_000;
/** For the last bytes of a socket. */
const LAST_BYTES_MS = 1_000;

/** The address of this node for other nodes. The public port does not lead here. */
export class InternalPort {
  readonly #server: Server;
  readonly #upgrader = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MOST_SOCKET_BYTES,
  });
  readonly #upgraded = new Set<Duplex>();

  private constructor(private readonly options: InternalPortOptions) {
    const bounds = {
      maxHeaderSize: MOST_HEAD_BYTES,
      headersTimeout: HEAD_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: HEAD_MS / 5,
    };
    const { tls } = options;
    this.#server = tls === undefined ? createServer(bounds) : createTlsServer({ ...bounds, ...tls });
    assert((options.maxConnections ?? 1) > 0, 'a port takes connections', options.maxConnections);
    this.#server.maxConnections = options.maxConnections ?? MOST_CONNECTIONS;
    this.#server.on('request', (request, response) => void this.#request(request, response));
    this.#server.on('upgrade', (request, connection, head) => this.#upgrade(request, connection, head));
  }

  /** Rejects where the address cannot be had. */
  static async listen(options: InternalPortOptions): Promise<InternalPort> {
    const port = new InternalPort(options);
    const { host, port: number } = options.address;
    port.#server.listen(number, host);
    try {
      await once(port.#server, 'listening');
    } catch (cause) {
      throw new Error(`NODE_ADDRESS: cannot listen on ${host}:${number}`, { cause });
    }
    return port;
  }

  get port(): number {
    const address = this.#server.address();
    assert(address !== null && typeof address === 'object', 'a port that listens has an address', address);
    return address.port;
  }

  /** Ends all calls. Sockets that close have some time for it, and the others end, too. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    const timer = setTimeout(() => {
      for (const connection of this.#upgraded) connection.destroy();
    }, LAST_BYTES_MS);
    this.#server.closeAllConnections();
    await closed;
    clearTimeout(timer);
  }

  async #request(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.on('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    try {
      const body = await bodyOf(request);
      if (gone.signal.aborted) return;
      if (body === null) return refuse(response, 413);
      const from = this.#callerOf(request, body);
      if (from === null) return refuse(response, 401);
      if (!this.options.serves()) return refuse(response, 503);
      const { calls } = this.options;
      const serve = request.method === 'POST' && Object.hasOwn(calls, request.url!) ? calls[request.url!] : undefined;
      if (serve === undefined) return refuse(response, 404);
      await reply(response, await serve({ from, body, signal: gone.signal }));
    } catch (error) {
      // A caller that is gone breaks what it asked for, which is no fault of this node.
      if (!request.socket.destroyed)
        this.options.log.error({ err: error, path: request.url }, 'a call of a node failed');
      if (!response.headersSent) refuse(response, 500);
      else response.destroy();
    }
  }

  #callerOf(request: IncomingMessage, body: Buffer): string | null {
    const header = request.headers[SIGNATURE_HEADER];
    if (typeof header !== 'string') return null;
    return this.options.signatures.verify(header, { method: request.method!, path: request.url!, body });
  }

  #upgrade(request: IncomingMessage, connection: Duplex, head: Buffer): void {
    connection.on('error', () => connection.destroy());
    const from = this.#callerOf(request, NO_BODY);
    if (from === null) return refuseUpgrade(connection, 401);
    if (!this.options.serves()) return refuseUpgrade(connection, 503);
    const { sockets } = this.options;
    const open = Object.hasOwn(sockets, request.url!) ? sockets[request.url!] : undefined;
    if (open === undefined) return refuseUpgrade(connection, 404);
    this.#upgraded.add(connection);
    connection.once('close', () => this.#upgraded.delete(connection));
    this.#upgrader.handleUpgrade(request, connection, head, (socket) => open(socket, connection, from));
  }
}

export const NO_BODY = Buffer.alloc(0);

/** Null: too long. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  if (Number(request.headers['content-length']) > MOST_CALL_BYTES) return null;
  const collector = new BodyCollector(MOST_CALL_BYTES);
  for await (const chunk of request) if (!collector.add(chunk as Buffer)) return null;
  return collector.body();
}

async function reply(response: ServerResponse, { status, headers, body }: HttpAnswer): Promise<void> {
  if (response.destroyed) return discard({ body });
  assert(!response.headersSent, 'a call is answered once', status);
  assert(status >= 200 && status <= 599, 'an answer has a status of HTTP', status);
  if (isStream(body)) {
    response.writeHead(status, headers);
    return pipeline(breakingLate(body, response), response);
  }
  const length = body === null ? 0 : Buffer.byteLength(body);
  response.writeHead(status, { ...headers, 'content-length': length }).end(body ?? undefined);
}

/** A stream that fails has reached the caller up to there before the connection breaks. */
function breakingLate(body: AsyncIterable<Uint8Array>, response: ServerResponse): AsyncIterable<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  const iterator: AsyncIterator<Uint8Array> = {
    next: async () => {
      try {
        return await chunks.next();
      } catch (error) {
        const { socket } = response;
        if (socket?.writable === true) await new Promise((sent) => void socket.write('', sent));
        throw error;
      }
    },
    return: async () => {
      await chunks.return?.();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

/** No detail: the caller is a node, which needs none, or a stranger. */
function refuse(response: ServerResponse, status: number): void {
  // The unread rest of a long body is not read later.
  if (status === 413 || status === 401) response.shouldKeepAlive = false;
  response.writeHead(status, { 'content-length': 0 }).end();
}

function refuseUpgrade(connection: Duplex, status: number): void {
  const reason = STATUS_CODES[status]!;
  connection.end(`HTTP/1.1 ${status} ${reason}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
  const end = setTimeout(() => connection.destroy(), LAST_BYTES_MS).unref();
  connection.once('close', () => clearTimeout(end));
}
