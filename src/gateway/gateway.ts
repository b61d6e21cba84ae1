import { CLOSE_REASONS, CloseCode } from '../protocol/codes.js';
import { registerAgent } from '../protocol/rest/accounts.js';
import { perMinute, type RequestAgent, type Route } from '../protocol/route.js';
import { JSON_HEADERS } from './answer-headers.js';
import { documentRoutes } from './documents.js';
import { clientIp, ipLimitKey } from './ip.js';
import { createLimits, memoryLimits, type Limiter, type Limits } from './limits.js';
import { chooseTransport, type TransportChoice } from './listen.js';
import type { Site } from './pages/site.js';
import type { Answerer, Sockets } from './ports.js';
import { OperatorKey } from './operator-key.js';
import { Router, type OtherAnswerers, type PageHandler } from './router.js';
import { sharesOf } from './shares.js';
import { credentialOf } from './credentials.js';
import type { SocketStats } from './socket-stats.js';
import { SocketHub, type SocketUpstream } from './sockets.js';
import { UnknownKeys, tooManyRequests } from './unknown-keys.js';
import { WATCH_PATHS, type HttpAnswer, type HttpRequest, type Log, type Transport } from './transport.js';
import { NO_SOCKET_HERE } from './exchange.js';

/** The settings in use, by their names in ops/settings.ts. */
export interface GatewayConfig {
  HOST: string;
  PORT: number;
  PORT_SHARED?: 'on' | 'off';
  TRANSPORT: TransportChoice;
  REDIS_URL?: string | undefined;
  CORS_ORIGIN?: string | undefined;
  ADMIN_KEY?: string | undefined;
  TRUSTED_PROXY: number;
  /** No bound without. */
  MAX_CONNECTIONS?: number | undefined;
  CONNECTIONS_PER_ADDRESS: number;
  WS_CONNECTS_PER_MINUTE: number;
  REGISTRATIONS_PER_MINUTE: number;
  WS_MESSAGES_PER_SECOND: number;
  SOCKET_BUFFER_BYTES: number;
  COALESCE_MS: number;
  ACTION_TIMEOUT_MS: number;
  DATABASE_CONNECTIONS: number;
  SPECTATE: 'on' | 'off';
  SPECTATE_DELAY_HANDS: number;
}

/** The parts above the gateway, needed once it listens. */
export interface GatewayUpstream extends SocketUpstream {
  authenticate(apiKey: string): Promise<RequestAgent | null>;
  /** See RouterOptions. */
  session?: (headers: Readonly<Record<string, string>>, ip: string) => Promise<RequestAgent | null>;
  /** Whether a key or token was good when it was looked up last. */
  known?: (apiKey: string) => boolean;
  /** Whether a socket is opened by a bot that we host: those come from one address, and are not counted. */
  isOwn?: (credential: string) => boolean;
  answered?: (method: string, route: string, status: number, seconds: number) => void;
  /** See RouterOptions. */
  others?: OtherAnswerers;
}

/** The parts below the gateway. */
export interface GatewayOptions {
  log: Log;
  /** See RouterOptions. */
  isAway?: (error: unknown) => boolean;
  /** Names those servers that count their limits together, where they are counted in Redis. */
  installation: string;
  /** ms of a clock that never goes back; default performance.now. */
  now?: () => number;
}

/** Refusals (429) that an address has answered at once. */
const REFUSALS_A_SECOND = 20;
/** Sockets that begin to watch, an address: who follows a bot from table to table needs a few. */
const WATCHES_A_MINUTE = 60;
const BODY_LIMIT = 64 * 1024;
const FRAME_LIMIT = 128 * 1024;
/** Beyond SOCKET_BUFFER_BYTES: room for the one batch that crosses it, a long resync included. */
const BUFFER_RESERVE = 16 * 1024 * 1024;

/**
 * Everything that faces the network. It is made in two steps, since the users of sockets are built between them:
 * `sockets` is there at once, `listen` opens the port later.
 */
export class Gateway {
  readonly limits: Limits;
  readonly hub: SocketHub;
  /** Look-ups of keys pass through it. */
  readonly unknownKeys: UnknownKeys;
  readonly #operatorKey: OperatorKey;
  readonly #connects: Limiter;
  /** The limits that are counted in this process. */
  readonly #ownLimits = memoryLimits();
  readonly #watches: Limiter;
  #transport: Transport | null = null;
  #upstream: GatewayUpstream | null = null;
  #answerer: Answerer | null = null;

  constructor(
    private readonly config: GatewayConfig,
    private readonly options: GatewayOptions,
  ) {
    this.limits = createLimits(config.REDIS_URL, options.installation, options.log, () => {
      return 1 + (this.#upstream?.others?.others.length ?? 0);
    });
    this.unknownKeys = new UnknownKeys({
      known: (credential) => this.#upstream?.known?.(credential) === true,
      now: options.now ?? (() => performance.now()),
    });
    this.#operatorKey = new OperatorKey(config.ADMIN_KEY, options.now ?? (() => performance.now()));
    this.#connects = this.limits.limiter('ws-connect', config.WS_CONNECTS_PER_MINUTE, 60_000);
    this.#watches = this.limits.limiter('ws-watch', WATCHES_A_MINUTE, 60_000);
    this.hub = this.#openHub();
  }

  #openHub(): SocketHub {
    const { config, options } = this;
    return new SocketHub({
      ...(options.now ? { now: options.now } : {}),
      messagesPerSecond: config.WS_MESSAGES_PER_SECOND,
      bufferBytes: config.SOCKET_BUFFER_BYTES,
      deferMs: config.COALESCE_MS,
      delayHands: config.SPECTATE_DELAY_HANDS,
      log: options.log,
      clientIp: (request) => this.ip(request),
    });
  }

  get sockets(): Sockets & { readonly stats: SocketStats } {
    return this.hub;
  }

  /**
   * Opens the port. REST answers the routes, the pages, and the site if there is one. Rejects where the port
   * cannot be had.
   */
  async listen(
    upstream: GatewayUpstream,
    routes: readonly Route[],
    pages: Readonly<Record<string, PageHandler>> = {},
    site: Site | null = null,
  ): Promise<void> {
    const { config, options, hub } = this;
    this.#upstream = upstream;
    hub.serve(upstream, (topic, frames) => this.#transport?.publish(topic, frames));
    const specs = routes.map((route) => route.spec);
    const router = new Router({
      routes: [...routes, ...documentRoutes(specs)],
      pages: { ...pages, ...site?.pages },
      files: site?.files ?? {},
      notFound: site?.notFound,
      authenticate: (key) => upstream.authenticate(key),
      ...(upstream.session ? { session: upstream.session } : {}),
      limits: this.limits,
      unknownKeys: this.unknownKeys,
      operatorKey: this.#operatorKey,
      limitsOf: { [registerAgent.id]: { ...perMinute(config.REGISTRATIONS_PER_MINUTE, 'ip'), ofAll: true } },
      clientIp: (request) => this.ip(request),
      refusals: this.#ownLimits.limiter('refusals', REFUSALS_A_SECOND, 1000),
      shares: sharesOf(config.DATABASE_CONNECTIONS),
      corsOrigin: config.CORS_ORIGIN,
      log: options.log,
      ...(options.isAway ? { isAway: options.isAway } : {}),
      ...(upstream.answered ? { answered: upstream.answered } : {}),
      ...(upstream.others ? { others: upstream.others } : {}),
    });
    const http = (request: HttpRequest) => router.handle(request);
    const answerer: Answerer = {
      http,
      admit: (ip, key, watch) => (watch ? this.#admitWatcher(ip) : this.#admit(ip, key)),
    };
    this.#answerer = answerer;
    const open = chooseTransport(config.TRANSPORT, options.log);
    this.#transport = await open(
      { ...transportOptions(config), log: options.log },
      {
        http,
        admit: (request) => {
          return answerer.admit(this.ip(request), credentialOf(request), WATCH_PATHS.includes(request.path));
        },
        open: (socket, request) => hub.open(socket, request),
        clientKey: (request) => this.#clientKey(request),
      },
    );
  }

  /** Answers what comes over other ways than the port of this process, once that is open. */
  get answerer(): Answerer {
    if (this.#answerer === null) throw new Error('the gateway was asked before it listened');
    return this.#answerer;
  }

  get listens(): boolean {
    return this.#answerer !== null;
  }

  /** The port that is listened on; 0 before. */
  get port(): number {
    return this.#transport?.port ?? 0;
  }

  /**
   * Ends every socket, 1012 unless told otherwise, and stops listening. Resolves once all is closed.
   */
  async close(code: CloseCode = CloseCode.draining): Promise<void> {
    this.hub.endAll(code, CLOSE_REASONS[code]);
    this.hub.flush();
    await this.#transport?.close(code, CLOSE_REASONS[code]);
    this.hub.stop();
    await Promise.all([this.limits, this.#ownLimits].map((limits) => limits.close()));
    this.unknownKeys.close();
    this.#operatorKey.close();
  }

  #admit(ip: string, credential: string | null): HttpAnswer | null | Promise<HttpAnswer | null> {
    if (credential !== null && this.#upstream?.isOwn?.(credential) === true) return null;
    const unknown = credential === null ? 0 : this.unknownKeys.wait(ip, credential);
    if (unknown > 0) return refusalOf(unknown);
    const waitMs = this.#connects.take(ipLimitKey(ip));
    return typeof waitMs === 'number' ? refusalOf(waitMs) : waitMs.then(refusalOf);
  }

  #admitWatcher(ip: string): HttpAnswer | null | Promise<HttpAnswer | null> {
    if (this.config.SPECTATE === 'off') return NO_SOCKET_HERE;
    const waitMs = this.#watches.take(ipLimitKey(ip));
    return typeof waitMs === 'number' ? refusalOf(waitMs) : waitMs.then(refusalOf);
  }

  #clientKey(request: HttpRequest): string | null {
    const credential = credentialOf(request);
    const isOwn = credential !== null && this.#upstream?.isOwn?.(credential) === true;
    return isOwn ? null : ipLimitKey(this.ip(request));
  }

  /** The client's address, by the proxies in front. */
  ip(request: HttpRequest): string {
    return clientIp(request, this.config.TRUSTED_PROXY);
  }
}

/** Null where nothing has to be waited for. */
function refusalOf(waitMs: number): HttpAnswer | null {
  if (waitMs === 0) return null;
  const { status, body, headers } = tooManyRequests(waitMs);
  return { status, headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(body) };
}

/** Limits of sockets and requests, for either transport. */
export const transportOptions = (config: GatewayConfig) => ({
  host: config.HOST,
  port: config.PORT,
  shared: config.PORT_SHARED === 'on',
  bodyLimit: BODY_LIMIT,
  frameLimit: FRAME_LIMIT,
  bufferLimit: config.SOCKET_BUFFER_BYTES + BUFFER_RESERVE,
  idleSeconds: idleSeconds(config.ACTION_TIMEOUT_MS),
  connections: {
    max: config.MAX_CONNECTIONS ?? Infinity,
    perAddress: config.CONNECTIONS_PER_ADDRESS,
    proxies: config.TRUSTED_PROXY,
  },
});

/**
 * A bot that thinks in its only thread answers no ping meanwhile. So silence may last as long as a decision, and some
 * more. µWebSockets.js takes 8 to 960 seconds.
 */
export function idleSeconds(actionTimeoutMs: number): number {
  return Math.min(960, Math.max(120, Math.ceil(actionTimeoutMs / 1000) + 60));
}
