import { CLOSE_REASONS, CloseCode } from '../protocol/codes.js';
import { registerAgent } from '../protocol/rest/accounts.js';
import { perMinute, type RequestAgent, type Route } from '../protocol/route.js';
import { JSON_HEADERS } from './answer-headers.js';
import { documentPages, documentRoutes } from './documents.js';
import { clientIp, ipLimitKey } from './ip.js';
import { createLimits, type Limiter, type Limits } from './limits.js';
import { chooseTransport, type TransportChoice } from './listen.js';
import type { Registry, ShardLink } from './ports.js';
import { Router, tooManyRequests, type Page } from './router.js';
import { SocketHub } from './sockets.js';
import type { HttpAnswer, HttpRequest, Log, Transport } from './transport.js';

/** The settings in use, by their names in ops/settings.ts. */
export interface GatewayConfig {
  HOST: string;
  PORT: number;
  TRANSPORT: TransportChoice;
  REDIS_URL?: string | undefined;
  CORS_ORIGIN?: string | undefined;
  TRUSTED_PROXY: number;
  WS_CONNECTS_PER_MINUTE: number;
  REGISTRATIONS_PER_MINUTE: number;
  WS_MESSAGES_PER_SECOND: number;
  SOCKET_BUFFER_BYTES: number;
  COALESCE_MS: number;
  ACTION_TIMEOUT_MS: number;
}

export interface GatewayPorts {
  registry: Registry;
  link(shard: number): ShardLink;
  authenticate(apiKey: string): Promise<RequestAgent | null>;
  log: Log;
  /** Names those servers that count their limits together, where they are counted in Redis. */
  installation: string;
  answered?: (method: string, route: string, status: number) => void;
  /** ms of a clock that never goes back; default performance.now. */
  now?: () => number;
}

const BODY_LIMIT = 64 * 1024;
const FRAME_LIMIT = 128 * 1024;
/** Beyond SOCKET_BUFFER_BYTES: room for the one batch that crosses it, a long resync included. */
const BUFFER_RESERVE = 16 * 1024 * 1024;

/**
 * Everything that faces the network. Made in two steps, since those who talk to sockets are built between them:
 * `sockets` is there at once, `listen` opens the port once the routes are known.
 */
export class Gateway {
  readonly sockets: SocketHub;
  readonly limits: Limits;
  readonly #connects: Limiter;
  #transport: Transport | null = null;

  constructor(
    private readonly config: GatewayConfig,
    private readonly ports: GatewayPorts,
  ) {
    this.limits = createLimits(config.REDIS_URL, ports.installation, ports.log);
    this.#connects = this.limits.limiter('ws-connect', config.WS_CONNECTS_PER_MINUTE, 60_000);
    this.sockets = new SocketHub({
      ...(ports.now ? { now: ports.now } : {}),
      messagesPerSecond: config.WS_MESSAGES_PER_SECOND,
      bufferBytes: config.SOCKET_BUFFER_BYTES,
      deferMs: config.COALESCE_MS,
      registry: ports.registry,
      log: ports.log,
      link: (shard) => ports.link(shard),
      clientIp: (request) => this.#ip(request),
    });
  }

  /** Opens the port. REST answers the routes, /docs, and the pages. Rejects where the port cannot be had. */
  async listen(routes: readonly Route[], pages: Readonly<Record<string, Page>> = {}): Promise<void> {
    const { config, ports } = this;
    const specs = routes.map((route) => route.spec);
    const router = new Router({
      routes: [...routes, ...documentRoutes(specs)],
      pages: { ...documentPages(specs), ...pages },
      authenticate: (key) => ports.authenticate(key),
      limits: this.limits,
      limitsOf: { [registerAgent.id]: perMinute(config.REGISTRATIONS_PER_MINUTE, 'ip') },
      clientIp: (request) => this.#ip(request),
      corsOrigin: config.CORS_ORIGIN,
      log: ports.log,
      ...(ports.answered ? { answered: ports.answered } : {}),
    });
    const open = chooseTransport(config.TRANSPORT, ports.log);
    this.#transport = await open(
      {
        host: config.HOST,
        port: config.PORT,
        bodyLimit: BODY_LIMIT,
        frameLimit: FRAME_LIMIT,
        bufferLimit: config.SOCKET_BUFFER_BYTES + BUFFER_RESERVE,
        idleSeconds: idleSeconds(config.ACTION_TIMEOUT_MS),
        log: ports.log,
      },
      {
        http: (request) => router.handle(request),
        admit: (request) => this.#admit(request),
        open: (socket, request) => this.sockets.open(socket, request),
      },
    );
  }

  /** The port that is listened on; 0 before. */
  get port(): number {
    return this.#transport?.port ?? 0;
  }

  /** Ends every socket, 1012 unless told otherwise, and stops listening. Resolves once all is closed. */
  async close(code: CloseCode = CloseCode.draining): Promise<void> {
    this.sockets.flush();
    await this.#transport?.close(code, CLOSE_REASONS[code]);
    await this.limits.close();
  }

  async #admit(request: HttpRequest): Promise<HttpAnswer | null> {
    const waitMs = await this.#connects.take(ipLimitKey(this.#ip(request)));
    if (waitMs === 0) return null;
    const { status, body, headers } = tooManyRequests(waitMs);
    return { status, headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(body) };
  }

  #ip(request: HttpRequest): string {
    return clientIp(request, this.config.TRUSTED_PROXY);
  }
}

/**
 * A bot that thinks in its only thread answers no ping meanwhile, so silence may last as long as a decision, and some
 * more. µWebSockets.js takes 8 to 960 seconds.
 */
export function idleSeconds(actionTimeoutMs: number): number {
  return Math.min(960, Math.max(120, Math.ceil(actionTimeoutMs / 1000) + 60));
}
