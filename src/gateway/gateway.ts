import { CLOSE_REASONS, CloseCode } from '../protocol/codes.js';
import { registerAgent } from '../protocol/rest/accounts.js';
import { perMinute, type RequestAgent, type Route } from '../protocol/route.js';
import { JSON_HEADERS } from './answer-headers.js';
import { documentPages, documentRoutes } from './documents.js';
import { clientIp, ipLimitKey } from './ip.js';
import { createLimits, type Limiter, type Limits } from './limits.js';
import type { OrderedMail } from '../shard/mail.js';
import { Fronts } from './fronts.js';
import { chooseTransport, loadUws, type TransportChoice } from './listen.js';
import type { Registry, ShardLink, Sockets } from './ports.js';
import { Router, tooManyRequests, type Page } from './router.js';
import { credentialOf, SocketHub, type SocketStats } from './sockets.js';
import type { HttpAnswer, HttpRequest, Log, Transport } from './transport.js';

/** The settings in use, by their names in ops/settings.ts. */
export interface GatewayConfig {
  HOST: string;
  PORT: number;
  TRANSPORT: TransportChoice;
  FRONTS: number;
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
  /** Whether a socket is opened by a bot that we host: those come from one address, and are not counted. */
  isOwn?: (credential: string) => boolean;
  log: Log;
  /** Names those servers that count their limits together, where they are counted in Redis. */
  installation: string;
  answered?: (method: string, route: string, status: number) => void;
  /** ms of a clock that never goes back; default performance.now. */
  now?: () => number;
  /** With FRONTS above 1. */
  threads?: FrontPorts;
}

/** What threads that hold sockets need besides. */
export interface FrontPorts {
  mail: OrderedMail;
  shards: number;
  flushShards(): void;
  /** `fronts.meet` is to be called for every shard that is up. */
  wantShards(front: number): void;
  fatal(error: Error): void;
  /** The threads' module; another one in tests. */
  entry?: URL;
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
  readonly limits: Limits;
  /** The sockets, where the main thread holds them; null with several fronts. */
  readonly hub: SocketHub | null = null;
  /** The threads that hold them otherwise. */
  readonly fronts: Fronts | null = null;
  readonly #connects: Limiter;
  #transport: Transport | null = null;

  /** Throws where FRONTS is above 1 without µWebSockets.js. */
  constructor(
    private readonly config: GatewayConfig,
    private readonly ports: GatewayPorts,
  ) {
    this.limits = createLimits(config.REDIS_URL, ports.installation, ports.log);
    this.#connects = this.limits.limiter('ws-connect', config.WS_CONNECTS_PER_MINUTE, 60_000);
    if (config.FRONTS > 1) this.fronts = this.#openFronts();
    else this.hub = this.#openHub();
  }

  #openHub(): SocketHub {
    const { config, ports } = this;
    return new SocketHub({
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

  #openFronts(): Fronts {
    const { config, ports } = this;
    const needs = `FRONTS=${config.FRONTS} needs µWebSockets.js`;
    if (config.TRANSPORT === 'ws') throw new Error(`${needs}, but TRANSPORT=ws: set FRONTS=1`);
    const { module, name, failures } = loadUws();
    if (module === null) throw new Error(`${needs}, which does not load here (${failures.join('; ')}): set FRONTS=1`);
    if (ports.threads === undefined) throw new Error('several fronts need ports for their threads');
    ports.log.info(
      { transport: 'uws', package: name, fronts: config.FRONTS },
      `transport: µWebSockets.js from ${name}`,
    );
    return new Fronts(module, {
      ...ports.threads,
      count: config.FRONTS,
      registry: ports.registry,
      log: ports.log,
      settings: {
        transport: transportOptions(config),
        messagesPerSecond: config.WS_MESSAGES_PER_SECOND,
        bufferBytes: config.SOCKET_BUFFER_BYTES,
        deferMs: config.COALESCE_MS,
        trustedProxies: config.TRUSTED_PROXY,
      },
    });
  }

  get sockets(): Sockets & { readonly stats: SocketStats } {
    return (this.hub ?? this.fronts)!;
  }

  /** Opens the port. REST answers the routes, /docs, and the pages. Rejects where the port cannot be had. */
  async listen(routes: readonly Route[], pages: Readonly<Record<string, Page>> = {}): Promise<void> {
    const { config, ports, hub, fronts } = this;
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
    const http = (request: HttpRequest) => router.handle(request);
    if (fronts !== null) {
      return fronts.listen(config.HOST, config.PORT, { http, admit: (ip, key) => this.#admit(ip, key) });
    }
    const open = chooseTransport(config.TRANSPORT, ports.log);
    this.#transport = await open(
      { ...transportOptions(config), log: ports.log },
      {
        http,
        admit: (request) => this.#admit(this.#ip(request), credentialOf(request)),
        open: (socket, request) => hub!.open(socket, request),
      },
    );
  }

  /** The port that is listened on; 0 before. */
  get port(): number {
    return this.fronts?.port ?? this.#transport?.port ?? 0;
  }

  /**
   * Ends every socket, 1012 unless told otherwise, and stops listening. Resolves once all is closed; to false where a
   * thread that holds sockets hangs: such a process must be killed, as its ordinary exit fails.
   */
  async close(code: CloseCode = CloseCode.draining): Promise<boolean> {
    this.hub?.flush();
    const ended = (await this.fronts?.stop(code, CLOSE_REASONS[code])) ?? true;
    await this.#transport?.close(code, CLOSE_REASONS[code]);
    await this.limits.close();
    return ended;
  }

  #admit(ip: string, credential: string | null): HttpAnswer | null | Promise<HttpAnswer | null> {
    if (credential !== null && this.ports.isOwn?.(credential) === true) return null;
    const waitMs = this.#connects.take(ipLimitKey(ip));
    return typeof waitMs === 'number' ? refusalOf(waitMs) : waitMs.then(refusalOf);
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

const transportOptions = (config: GatewayConfig) => ({
  host: config.HOST,
  port: config.PORT,
  bodyLimit: BODY_LIMIT,
  frameLimit: FRAME_LIMIT,
  bufferLimit: config.SOCKET_BUFFER_BYTES + BUFFER_RESERVE,
  idleSeconds: idleSeconds(config.ACTION_TIMEOUT_MS),
});

/**
 * A bot that thinks in its only thread answers no ping meanwhile, so silence may last as long as a decision, and some
 * more. µWebSockets.js takes 8 to 960 seconds.
 */
export function idleSeconds(actionTimeoutMs: number): number {
  return Math.min(960, Math.max(120, Math.ceil(actionTimeoutMs / 1000) + 60));
}
