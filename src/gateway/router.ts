import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import { limitOf, type RateLimit, type RequestAgent, type Route, type RouteSpec } from '../protocol/route.js';
import { corsHeaders, JSON_HEADERS, preflightHeaders, PRIVATE, PUBLIC } from './answer-headers.js';
import { ipLimitKey } from './ip.js';
import type { Limiter, Limits } from './limits.js';
import { PathTree } from './path-tree.js';
import { bearerKey } from './sockets.js';
import type { HttpAnswer, HttpRequest, Log } from './transport.js';

/** An answer that no route describes, such as a page for people or /metrics. Only GET and HEAD get here. */
export type Page = (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>;

export interface RouterOptions {
  routes: readonly Route[];
  /** By path. */
  pages?: Readonly<Record<string, Page>>;
  /** The agent that holds the key, or null. */
  authenticate(apiKey: string): Promise<RequestAgent | null>;
  limits: Limits;
  /** Limits that differ from the specs', by route id. */
  limitsOf?: Readonly<Record<string, RateLimit | null>>;
  clientIp(request: HttpRequest): string;
  /** The origin whose pages may call; none without. */
  corsOrigin?: string | undefined;
  log: Log;
  /** Told of every answer; `route` is the spec's id, or 'none'. */
  answered?: (method: string, route: string, status: number) => void;
}

/** A route together with its limiter. */
interface Endpoint {
  route: Route;
  limit: RateLimit | null;
  limiter: Limiter | null;
}

type Resource = { page: Page | null; methods: Map<string, Endpoint> };

/** REST: finds the route, asks who calls and whether it may so soon, and gives every answer its shape and headers. */
export class Router {
  readonly #paths = new PathTree<Resource>();
  readonly #options: RouterOptions;
  /** Request ids: this process, then a number. */
  readonly #process = randomBytes(4).toString('hex');
  #requests = 0;

  /** Throws where two routes have the same id, or the same method and path. */
  constructor(options: RouterOptions) {
    this.#options = options;
    const ids = new Set<string>();
    for (const route of options.routes) {
      const { id, method, path } = route.spec;
      const { methods } = this.#resource(path);
      if (methods.has(method) || ids.has(id)) throw new Error(`route ${id}, ${method} ${path}, is there twice`);
      ids.add(id);
      methods.set(method, this.#endpoint(route));
    }
    for (const [path, page] of Object.entries(options.pages ?? {})) this.#resource(path).page = page;
  }

  #resource(path: string): Resource {
    return this.#paths.at(path, () => ({ page: null, methods: new Map() }));
  }

  #endpoint(route: Route): Endpoint {
    const { spec } = route;
    const special = this.#options.limitsOf?.[spec.id];
    const limit = special === undefined ? limitOf(spec) : special;
    const limiter = limit && this.#options.limits.limiter(spec.id, limit.max, limit.windowMs);
    return { route, limit, limiter };
  }

  /** Answers a request; never rejects. */
  async handle(request: HttpRequest): Promise<HttpAnswer> {
    const requestId = `${this.#process}-${(++this.#requests).toString(36)}`;
    const found = this.#paths.find(request.path);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const endpoint = found?.value.methods.get(method);
    let answer: HttpAnswer;
    try {
      answer = await this.#answer(request, found?.value, endpoint, found?.params ?? {});
    } catch (error) {
      answer = this.#errorAnswer(error, request, requestId);
    }
    this.#options.answered?.(request.method, endpoint?.route.spec.id ?? 'none', answer.status);
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
    if (resource === undefined) throw new HttpError(404, Detail.notFound);
    const preflight = preflightHeaders(request, this.#options.corsOrigin);
    if (preflight !== null) return { status: 204, headers: preflight, body: null };
    if (endpoint !== undefined) return this.#call(request, endpoint, params);
    const reading = request.method === 'GET' || request.method === 'HEAD';
    if (resource.page !== null && reading) return resource.page(request);
    throw new HttpError(405, Detail.methodNotAllowed, { allow: allowedMethods(resource) });
  }

  async #call(request: HttpRequest, endpoint: Endpoint, params: Record<string, string>): Promise<HttpAnswer> {
    const { route, limit } = endpoint;
    const ip = this.#options.clientIp(request);
    const wantsBody = route.spec.body !== undefined;
    const wantsQuery = route.spec.query !== undefined;
    if (wantsBody && request.body === null) throw new HttpError(413, Detail.bodyTooLarge);
    if (limit?.per === 'ip') await this.#take(endpoint, ipLimitKey(ip));
    const agent = await this.#authenticate(request, route.spec);
    if (limit?.per === 'key') await this.#take(endpoint, agent?.agentId ?? ipLimitKey(ip));
    const body = wantsBody && request.body !== null ? bodyText(request.body) : '';
    const query = wantsQuery ? request.query : '';
    refuseNul(body, query);
    const { headers } = request;
    const answer = await route.run({
      ...{ params, query, body, agent, ip, headers },
      get signal() {
        return request.signal;
      },
    });
    return { status: answer.status, headers: answer.headers, body: answer.stream ?? answer.body };
  }

  async #authenticate(request: HttpRequest, { auth }: RouteSpec): Promise<RequestAgent | null> {
    if (auth === 'none') return null;
    const key = bearerKey(request.header('authorization'));
    const agent = key === null ? null : await this.#options.authenticate(key);
    if (agent === null) throw new HttpError(401, Detail.unauthorized, { 'www-authenticate': 'Bearer' });
    if (auth === 'admin' && !agent.isAdmin) throw new HttpError(403, Detail.adminOnly);
    return agent;
  }

  async #take({ limiter }: Endpoint, key: string): Promise<void> {
    const waitMs = limiter === null ? 0 : await limiter.take(key);
    if (waitMs > 0) throw tooManyRequests(waitMs);
  }

  #errorAnswer(error: unknown, request: HttpRequest, requestId: string): HttpAnswer {
    if (error instanceof HttpError) {
      return { status: error.status, headers: error.headers, body: JSON.stringify(error.body) };
    }
    this.#options.log.error({ err: error, requestId, method: request.method, path: request.path }, 'request failed');
    return { status: 500, headers: {}, body: JSON.stringify({ detail: Detail.internal }) };
  }
}

export function tooManyRequests(waitMs: number): HttpError {
  return new HttpError(429, Detail.tooManyRequests, { 'retry-after': String(Math.ceil(waitMs / 1000)) });
}

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
