import { CLOSE_REASONS, CloseCode } from '../protocol/codes.js';
import { registerAgent } from '../protocol/rest/accounts.js';
import { perMinute, type RequestAgent, type Route } from '../protocol/route.js';
import { JSON_HEADERS } from './answer-headers.js';
import { documentPages, documentRoutes } from './documents.js';
import { clientIp, ipLimitKey } from './ip.js';
import { createLimits, memoryLimits, type Limiter, type Limits } from './limits.js';
import type { Answerer } from './fronts/forward.js';
import { Fronts } from './fronts/fronts.js';
import { chooseTransport, loadUws, type TransportChoice } from './listen.js';
import type { Site } from './pages/site.js';
import type { Sockets } from './ports.js';
import { OperatorKey } from './operator-key.js';
import { Router, type Page } from './router.js';
import { sharesOf } from './shares.js';
import { credentialOf } from './credentials.js';
import type { SocketStats } from './socket-stats.js';
import { SocketHub, type SocketUpstream } from './sockets.js';
import { UnknownKeys, tooManyRequests } from './unknown-keys.js';
import { WATCH_PATHS, type HttpAnswer, type HttpRequest, type Log, type Transport } from './transport.js';
import { NO_SOCKET_HERE } from './exchange.js';
import type { OrderedChannels } from '../shard/fronts/ordered-channels.js';

/** The settings in use, by their names in ops/settings.ts. */
export interface GatewayConfig {
  HOST: string;
  PORT: number;
  TRANSPORT: TransportChoice;
  FRONTS: number;
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

/** What stands above the gateway, and is asked once it listens. */
export interface GatewayUpstream extends SocketUpstream {
  authenticate(apiKey: string): Promise<RequestAgent | null>;
  /** See RouterOptions. */
  session?: (headers: Readonly<Record<string, string>>, ip: string) => Promise<RequestAgent | null>;
  /** Whether a key or token was good when it was looked up last. */
  known?: (apiKey: string) => boolean;
  /** Whether a socket is opened by a bot that we host: those come from one address, and are not counted. */
  isOwn?: (credential: string) => boolean;
  answered?: (method: string, route: string, status: number, seconds: number) => void;
}

/** What it stands on. */
export interface GatewayOptions {
  log: Log;
  /** See RouterOptions. */
  isAway?: (error: unknown) => boolean;
  /** Names those servers that count their limits together, where they are counted in Redis. */
  installation: string;
  /** ms of a clock that never goes back; default performance.now. */
  now?: () => number;
  /** With FRONTS above 1. */
  threads?: FrontDependencies;
  /** Somebody else holds the sockets and listens on the port: what comes there is brought to the `answerer`. */
  elsewhere?: { hub: SocketHub; port: number };
}

/** What threads that hold sockets need besides. */
export interface FrontDependencies {
  channels: OrderedChannels;
  shards: number;
  flushShards(): void;
  /** `fronts.connect` is to be called for every shard that is up. */
  wantShards(front: number): void;
  fatal(error: Error): void;
  /** The threads' module; another one in tests. */
  entry?: URL;
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
 * Everything that faces the network. Made in two steps, since those who talk to sockets are built between them:
 * `sockets` is there at once, `listen` opens the port once what stands above it is there.
 */
export class Gateway {
  readonly limits: Limits;
  /** The sockets, where the main thread holds them; null with several fronts. */
  readonly hub: SocketHub | null = null;
  /** The threads that hold them otherwise. */
  readonly fronts: Fronts | null = null;
  /** Whoever looks a key up asks through it. */
  readonly unknownKeys: UnknownKeys;
  readonly #operatorKey: OperatorKey;
  readonly #connects: Limiter;
  /** What is counted in this process, wherever the others are. */
  readonly #ownLimits = memoryLimits();
  readonly #watches: Limiter;
  #transport: Transport | null = null;
  #upstream: GatewayUpstream | null = null;
  #answerer: Answerer | null = null;

  /** Throws where FRONTS is above 1 without µWebSockets.js. */
  constructor(
    private readonly config: GatewayConfig,
    private readonly options: GatewayOptions,
  ) {
    this.limits = createLimits(config.REDIS_URL, options.installation, options.log);
    this.unknownKeys = new UnknownKeys({
      known: (credential) => this.#upstream?.known?.(credential) === true,
      now: options.now ?? (() => performance.now()),
    });
    this.#operatorKey = new OperatorKey(config.ADMIN_KEY, options.now ?? (() => performance.now()));
    this.#connects = this.limits.limiter('ws-connect', config.WS_CONNECTS_PER_MINUTE, 60_000);
    this.#watches = this.limits.limiter('ws-watch', WATCHES_A_MINUTE, 60_000);
    if (options.elsewhere !== undefined) this.hub = options.elsewhere.hub;
    else if (config.FRONTS > 1) this.fronts = this.#openFronts();
    else this.hub = this.#openHub();
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
      clientIp: (request) => this.#ip(request),
    });
  }

  #openFronts(): Fronts {
    const { config, options } = this;
    const needs = `FRONTS=${config.FRONTS} needs µWebSockets.js`;
    if (config.TRANSPORT === 'ws') throw new Error(`${needs}, but TRANSPORT=ws: set FRONTS=1`);
    const { module, name, failures } = loadUws();
    if (module === null) throw new Error(`${needs}, which does not load here (${failures.join('; ')}): set FRONTS=1`);
    if (options.threads === undefined) throw new Error('several fronts need ports for their threads');
    options.log.info(
      { transport: 'uws', package: name, fronts: config.FRONTS },
      `transport: µWebSockets.js from ${name}`,
    );
    return new Fronts(module, {
      ...options.threads,
      count: config.FRONTS,
      log: options.log,
      settings: {
        transport: transportOptions(config, config.FRONTS),
        messagesPerSecond: config.WS_MESSAGES_PER_SECOND,
        bufferBytes: config.SOCKET_BUFFER_BYTES,
        deferMs: config.COALESCE_MS,
        delayHands: config.SPECTATE_DELAY_HANDS,
        trustedProxies: config.TRUSTED_PROXY,
      },
    });
  }

  get sockets(): Sockets & { readonly stats: SocketStats } {
    return (this.hub ?? this.fronts)!;
  }

  /**
   * Opens the port. REST answers the routes, the pages, and the site: /docs alone without one. Rejects where the port
   * cannot be had.
   */
  async listen(
    upstream: GatewayUpstream,
    routes: readonly Route[],
    pages: Readonly<Record<string, Page>> = {},
    site: Site | null = null,
  ): Promise<void> {
    const { config, options, hub, fronts } = this;
    this.#upstream = upstream;
    if (options.elsewhere === undefined)
      hub?.serve(upstream, (topic, frames) => this.#transport?.publish(topic, frames));
    const specs = routes.map((route) => route.spec);
    const router = new Router({
      routes: [...routes, ...documentRoutes(specs)],
      pages: { ...documentPages(specs), ...pages, ...site?.pages },
      files: site?.files ?? {},
      notFound: site?.notFound,
      authenticate: (key) => upstream.authenticate(key),
      ...(upstream.session ? { session: upstream.session } : {}),
      limits: this.limits,
      unknownKeys: this.unknownKeys,
      operatorKey: this.#operatorKey,
      limitsOf: { [registerAgent.id]: perMinute(config.REGISTRATIONS_PER_MINUTE, 'ip') },
      clientIp: (request) => this.#ip(request),
      refusals: this.#ownLimits.limiter('refusals', REFUSALS_A_SECOND, 1000),
      shares: sharesOf(config.DATABASE_CONNECTIONS),
      corsOrigin: config.CORS_ORIGIN,
      log: options.log,
      ...(options.isAway ? { isAway: options.isAway } : {}),
      ...(upstream.answered ? { answered: upstream.answered } : {}),
    });
    const http = (request: HttpRequest) => router.handle(request);
    const answerer: Answerer = {
      http,
      admit: (ip, key, watch) => (watch ? this.#admitWatcher(ip) : this.#admit(ip, key)),
    };
    this.#answerer = answerer;
    if (options.elsewhere !== undefined) return;
    if (fronts !== null) return fronts.listen(config.HOST, config.PORT, upstream.registry, answerer);
    const open = chooseTransport(config.TRANSPORT, options.log);
    this.#transport = await open(
      { ...transportOptions(config), log: options.log },
      {
        http,
        admit: (request) => {
          return answerer.admit(this.#ip(request), credentialOf(request), WATCH_PATHS.includes(request.path));
        },
        open: (socket, request) => hub!.open(socket, request),
        clientKey: (request) => this.#clientKey(request),
      },
    );
  }

  /** Answers what comes over other ways than the port of this process, once that is open. */
  get answerer(): Answerer {
    if (this.#answerer === null) throw new Error('the gateway was asked before it listened');
    return this.#answerer;
  }

  /** The port that is listened on; 0 before. */
  get port(): number {
    return this.options.elsewhere?.port ?? this.fronts?.port ?? this.#transport?.port ?? 0;
  }

  /**
   * Ends every socket, 1012 unless told otherwise, and stops listening. Resolves once all is closed; to false where a
   * thread that holds sockets hangs: such a process must be killed, as its ordinary exit fails.
   */
  async close(code: CloseCode = CloseCode.draining): Promise<boolean> {
    if (this.options.elsewhere === undefined) this.hub?.flush();
    const ended = (await this.fronts?.stop(code, CLOSE_REASONS[code])) ?? true;
    await this.#transport?.close(code, CLOSE_REASONS[code]);
    if (this.options.elsewhere === undefined) this.hub?.stop();
    await Promise.all([this.limits, this.#ownLimits].map((limits) => limits.close()));
    this.unknownKeys.close();
    this.#operatorKey.close();
    return ended;
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
    return isOwn ? null : ipLimitKey(this.#ip(request));
  }

  #ip(request: HttpRequest): string {
    return clientIp(request, this.config.TRUSTED_PROXY);
  }
}

/** Null where nothing has to be waited for. */
function refusalOf(waitMs: number): HttpAnswer | null {
  if (waitMs === 0) return null;
  const { status, body, headers } = tooManyRequests(waitMs);
  return { status, headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(body) };
}

/**
 * Limits of sockets and requests, whichever transport takes them. Each of several threads has its part of the
 * connections, which are dealt out in turn.
 */
export const transportOptions = (config: GatewayConfig, threads = 1) => ({
  host: config.HOST,
  port: config.PORT,
  bodyLimit: BODY_LIMIT,
  frameLimit: FRAME_LIMIT,
  bufferLimit: config.SOCKET_BUFFER_BYTES + BUFFER_RESERVE,
  idleSeconds: idleSeconds(config.ACTION_TIMEOUT_MS),
  connections: {
    max: Math.ceil((config.MAX_CONNECTIONS ?? Infinity) / threads),
    perAddress: Math.ceil(config.CONNECTIONS_PER_ADDRESS / threads),
    proxies: config.TRUSTED_PROXY,
  },
});

/**
 * A bot that thinks in its only thread answers no ping meanwhile, so silence may last as long as a decision, and some
 * more. µWebSockets.js takes 8 to 960 seconds.
 */
export function idleSeconds(actionTimeoutMs: number): number {
  return Math.min(960, Math.max(120, Math.ceil(actionTimeoutMs / 1000) + 60));
}
