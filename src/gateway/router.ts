import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { KEY_IN_URL } from '../protocol/codes.js';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import {
  limitOf,
  type AnsweredAt,
  type RateLimit,
  type RawRequest,
  type RequestAgent,
  type Route,
  type RouteSpec,
} from '../protocol/route.js';
import { corsHeaders, JSON_HEADERS, preflightHeaders, PRIVATE, PUBLIC } from './answer-headers.js';
import { ipLimitKey } from './ip.js';
import type { Limiter, Limits } from './limits.js';
import type { OperatorKey } from './operator-key.js';
import { PathTree } from './path-tree.js';
import { Shares, type ShareSizes } from './shares.js';
import { bearerKey, hasKey } from './credentials.js';
import { tooManyRequests, type UnknownKeys } from './unknown-keys.js';
import type { HttpAnswer, HttpRequest, Log } from './transport.js';

/** An answer that no route describes, such as a page for people or /metrics. Only GET and HEAD get here. */
export type PageHandler = (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>;

export interface RouterOptions {
  routes: readonly Route[];
  /** By path. */
  pages?: Readonly<Record<string, PageHandler>>;
  /** By path: what pages load, under a limit of its own. */
  files?: Readonly<Record<string, PageHandler>>;
  /** For browsers that look for a page where nothing is; without it they read JSON, as programs do. */
  notFound?: PageHandler | undefined;
  /** The agent that holds the key, or null. */
  authenticate(apiKey: string): Promise<RequestAgent | null>;
  /** The agent of the sign-in session that the headers carry, or null. May throw HttpError 403 or 429. */
  session?: (headers: Readonly<Record<string, string>>, ip: string) => Promise<RequestAgent | null>;
  limits: Limits;
  unknownKeys: Pick<UnknownKeys, 'ask'>;
  operatorKey: Pick<OperatorKey, 'require' | 'isSet'>;
  /** Limits that differ from the specs', by route id. */
  limitsOf?: Readonly<Record<string, RateLimit | null>>;
  clientIp(request: HttpRequest): string;
  /** Lets refusals of an address through at once; those beyond come late. */
  refusals: Limiter;
  /** How many requests may be at work in the database at a time. */
  shares: ShareSizes;
  /** The origin of pages that may call. None: no page may. */
  corsOrigin?: string | undefined;
  /** The other nodes of a cluster; absent: this process answers everything. */
  others?: OtherAnswerers;
  log: Log;
  /** Whether a failure only says that the database is away: 503, to be tried again. */
  isAway?: (error: unknown) => boolean;
  /** Called with every answer; `route` is the spec's id, or 'none'. */
  answered?: (method: string, route: string, status: number, seconds: number) => void;
}

/** Nodes of a cluster that answer what this one cannot. */
export interface OtherAnswerers {
  /** Ids of the other living nodes. */
  readonly others: readonly string[];
  /** The node that answers the request; null: this one. */
  nodeOf(at: AnsweredAt, raw: Pick<RawRequest, 'params' | 'agent'>): Promise<string | null>;
  /** Rejects where the node does not answer. */
  forward(node: string, request: HttpRequest, agent: RequestAgent | null): Promise<HttpAnswer>;
}

/** Pages for people, an address. */
const PAGES_A_MINUTE = 300;
/** A first visit loads some ten of them, and many people may share an address. */
const FILES_A_MINUTE = 3000;

/** A route together with its limiter. */
interface Endpoint {
  route: Route;
  limit: RateLimit | null;
  limiter: Limiter | null;
}

const AWAY_LOG_MS = 10_000;
/** A refusal that comes late comes so much later: whoever goes on asking is slowed down by its own connections. */
const LATE_MS = 1000;

type Resource = { page: PageHandler | null; isFile: boolean; methods: Map<string, Endpoint> };

/** REST: finds the route, asks who calls and whether it may so soon, and gives every answer its shape and headers. */
export class Router {
  readonly #paths = new PathTree<Resource>();
  readonly #options: RouterOptions;
  /** Request ids: this process, then a number. */
  readonly #process = randomBytes(4).toString('hex');
  #requests = 0;
  readonly #pages: Limiter;
  readonly #files: Limiter;
  readonly #shares: Shares;
  /** When it was last logged that requests fail because the database is away; ms of performance.now(). */
  #awayLogged = -Infinity;

  /** Throws where two routes have the same id, or the same method and path. */
  constructor(options: RouterOptions) {
    this.#options = options;
    this.#pages = options.limits.limiter('pages', PAGES_A_MINUTE, 60_000);
    this.#files = options.limits.limiter('files', FILES_A_MINUTE, 60_000);
    this.#shares = new Shares(options.shares);
    const ids = new Set<string>();
    for (const route of options.routes) {
      const { id, method, path } = route.spec;
      const { methods } = this.#resource(path);
      if (methods.has(method) || ids.has(id)) throw new Error(`route ${id}, ${method} ${path}, is there twice`);
      ids.add(id);
      methods.set(method, this.#endpoint(route));
    }
    for (const [path, page] of Object.entries(options.pages ?? {})) this.#resource(path).page = page;
    for (const [path, page] of Object.entries(options.files ?? {})) {
      Object.assign(this.#resource(path), { page, isFile: true });
    }
  }

  #resource(path: string): Resource {
    return this.#paths.at(path, () => ({ page: null, isFile: false, methods: new Map() }));
  }

  #endpoint(route: Route): Endpoint {
    const { spec } = route;
    const special = this.#options.limitsOf?.[spec.id];
    const limit = special === undefined ? limitOf(spec) : special;
    const limiter = limit && this.#options.limits.limiter(spec.id, limit.max, limit.windowMs, limit.ofAll);
    return { route, limit, limiter };
  }

  /** Answers a request; never rejects. */
  async handle(request: HttpRequest): Promise<HttpAnswer> {
    const requestId = `${this.#process}-${(++this.#requests).toString(36)}`;
    const found = this.#paths.find(request.path);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const endpoint = found?.value.methods.get(method);
    const start = performance.now();
    let answer: HttpAnswer;
    try {
      answer = await this.#answer(request, found?.value, endpoint, found?.params ?? {});
    } catch (error) {
      answer = this.#errorAnswer(error, request, requestId);
    }
    const seconds = (performance.now() - start) / 1000;
    this.#options.answered?.(request.method, endpoint?.route.spec.id ?? 'none', answer.status, seconds);
    if (answer.status === 429) await this.#hold(request);
    const cache = request.header('authorization') !== '' || endpoint?.route.spec.auth !== 'none' ? PRIVATE : PUBLIC;
    const cors = corsHeaders(request, this.#options.corsOrigin);
    return { ...answer, headers: { ...JSON_HEADERS, ...cache, ...cors, 'x-request-id': requestId, ...answer.headers } };
  }

  async #answer(
    request: HttpRequest,
    resource: Resource | undefined,
    endpoint: Endpoint | undefined,
    params: Record<string, string>,
  ): Promise<HttpAnswer> {
    if (resource === undefined) {
      await this.#takeUnkeyed(request, this.#pages);
      const { notFound } = this.#options;
      if (notFound !== undefined && looksForPage(request)) return notFound(request);
      throw new HttpError(404, Detail.notFound);
    }
    const preflight = preflightHeaders(request, this.#options.corsOrigin);
    if (preflight !== null) return { status: 204, headers: preflight, body: null };
    if (endpoint !== undefined) return this.#call(request, endpoint, params);
    const reading = request.method === 'GET' || request.method === 'HEAD';
    await this.#takeUnkeyed(request, resource.isFile ? this.#files : this.#pages);
    if (resource.page !== null && reading) return resource.page(request);
    throw new HttpError(405, Detail.methodNotAllowed, { allow: allowedMethods(resource) });
  }

  async #call(request: HttpRequest, endpoint: Endpoint, params: Record<string, string>): Promise<HttpAnswer> {
    const { route, limit } = endpoint;
    const ip = this.#options.clientIp(request);
    const wantsBody = route.spec.body !== undefined;
    const wantsQuery = route.spec.query !== undefined;
    if (wantsBody && request.body === null) throw new HttpError(413, Detail.bodyTooLarge);
    const { vouched } = request;
    if (vouched === undefined && limit?.per === 'ip') await this.#take(endpoint, ipLimitKey(ip));
    const agent = vouched?.agent ?? (await this.#authenticate(request, route.spec, ip));
    if (vouched === undefined && limit?.per === 'key') await this.#take(endpoint, agent?.agentId ?? ipLimitKey(ip));
    const node = await this.#nodeOf(request, route.spec, { params, agent });
    if (node !== null) return this.#options.others!.forward(node, request, agent);
    const body = wantsBody && request.body !== null ? bodyText(request.body) : '';
    const query = wantsQuery ? request.query : '';
    refuseNul(body, query);
    const { headers } = request;
    const raw = {
      params,
      query,
      body,
      agent,
      ip,
      headers,
      get signal() {
        return request.signal;
      },
    };
    const run = () => route.run(raw);
    const answer = await (route.spec.inMemory === true ? run() : this.#inTurn(raw, run));
    return { status: answer.status, headers: answer.headers, body: answer.stream ?? answer.body };
  }

  /** A request that another node sent is answered here. */
  async #nodeOf(
    { vouched }: HttpRequest,
    { at }: RouteSpec,
    raw: Pick<RawRequest, 'params' | 'agent'>,
  ): Promise<string | null> {
    const { others } = this.#options;
    if (at === undefined || others === undefined || vouched !== undefined) return null;
    return others.nodeOf(at, raw);
  }

  /** A caller without a key counts by its address. */
  #inTurn<T>(raw: RawRequest, run: () => Promise<T>): Promise<T> {
    const address = ipLimitKey(raw.ip);
    const asking = {
      address,
      asker: raw.agent?.agentId ?? address,
      get signal() {
        return raw.signal;
      },
    };
    return this.#shares.take(asking, run);
  }

  async #authenticate(request: HttpRequest, { auth }: RouteSpec, ip: string): Promise<RequestAgent | null> {
    if (auth === 'none') return null;
    if (auth === 'operator') return this.#operator(request, ip);
    const agent = await this.#holder(request, auth, ip);
    if (agent === null && auth === 'optional' && request.header('authorization') === '') return null;
    if (agent === null) {
      const isInUrl = request.header('authorization') === '' && hasKey(request.query);
      throw new HttpError(401, isInUrl ? KEY_IN_URL : Detail.unauthorized, { 'www-authenticate': 'Bearer' });
    }
    if (auth === 'admin' && !agent.isAdmin) throw new HttpError(403, Detail.adminOnly);
    return agent;
  }

  /** The platform's own agent by its session; null for the bearer of the operator's key. Throws HttpError 401 or 429. */
  async #operator(request: HttpRequest, ip: string): Promise<RequestAgent | null> {
    const { operatorKey, session } = this.#options;
    const authorization = request.header('authorization');
    const agent = operatorKey.isSet && authorization === '' ? await session?.(request.headers, ip) : null;
    if (agent?.isAdmin === true) return agent;
    operatorKey.require(ip, authorization);
    return null;
  }

  /** The caller: by its key, or, if that suffices and it sends no key, by its session. */
  async #holder(request: HttpRequest, auth: RouteSpec['auth'], ip: string): Promise<RequestAgent | null> {
    const authorization = request.header('authorization');
    if ((auth === 'owner' || auth === 'optional') && authorization === '')
      return (await this.#options.session?.(request.headers, ip)) ?? null;
    const key = bearerKey(authorization);
    const { authenticate, unknownKeys } = this.#options;
    return key === null ? null : unknownKeys.ask(ip, key, authenticate);
  }

  /** Pages, and paths where there is nothing: no route limits them. */
  async #takeUnkeyed(request: HttpRequest, limiter: Limiter): Promise<void> {
    const waitMs = await limiter.take(ipLimitKey(this.#options.clientIp(request)));
    if (waitMs > 0) throw tooManyRequests(waitMs);
  }

  async #take({ limiter }: Endpoint, key: string): Promise<void> {
    const waitMs = limiter === null ? 0 : await limiter.take(key);
    if (waitMs > 0) throw tooManyRequests(waitMs);
  }

  /** Before a refusal, where the address has had many: refusing costs work, too. */
  async #hold(request: HttpRequest): Promise<void> {
    const waitMs = await this.#options.refusals.take(ipLimitKey(this.#options.clientIp(request)));
    // Ends early where nobody waits any more.
    if (waitMs > 0) await sleep(LATE_MS, undefined, { signal: request.signal }).catch(() => undefined);
  }

  #errorAnswer(error: unknown, request: HttpRequest, requestId: string): HttpAnswer {
    if (error instanceof HttpError) {
      return { status: error.status, headers: error.headers, body: JSON.stringify(error.body) };
    }
    if (this.#options.isAway?.(error) === true) {
      this.#logAway(error);
      return { status: 503, headers: { 'retry-after': '1' }, body: JSON.stringify({ detail: Detail.databaseAway }) };
    }
    this.#options.log.error({ err: error, requestId, method: request.method, path: request.path }, 'request failed');
    return { status: 500, headers: {}, body: JSON.stringify({ detail: Detail.internal }) };
  }

  /** Now and then, however many ask. */
  #logAway(error: unknown): void {
    const now = performance.now();
    if (now - this.#awayLogged < AWAY_LOG_MS) return;
    this.#awayLogged = now;
    this.#options.log.warn({ err: error }, 'the database is away: requests are answered 503');
  }
}

/** Whether a person is to read the answer; below /api everything is for programs. */
const looksForPage = (request: HttpRequest) =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  !/^\/(api|ws|assets)(\/|$)/.test(request.path) &&
  request.header('accept').includes('text/html');

function allowedMethods({ page, methods }: Resource): string {
  const allowed = new Set(methods.keys());
  if (page !== null) allowed.add('GET');
  if (allowed.has('GET')) allowed.add('HEAD');
  return [...allowed].join(', ');
}

function bodyText(body: Buffer): string {
  if (!isUtf8(body)) throw refused('body', 'JSON decode error: not UTF-8', 'json_invalid');
  return body.toString();
}

/** JSON and percent-encoding can carry a NUL, which no text column of the database takes. */
function refuseNul(body: string, query: string): void {
  if (body.includes('\\u0000')) throw refused('body', 'NUL characters are not allowed', 'value_error');
  if (query.includes('%00')) throw refused('query', 'NUL characters are not allowed', 'value_error');
}

const refused = (where: string, msg: string, type: string) => new HttpError(422, [{ loc: [where], msg, type }]);
