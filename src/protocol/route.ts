import type { Static, TObject, TSchema } from 'typebox';
import { Detail, HttpError, type ValidationItem } from './rest/errors.js';
import { bodyReader, paramsReader, queryReader } from './validation.js';

/** A reader that turns the 422s of some fields into 400s with a text. `refusals` has the text by the field. */
function refusing<Raw>(
  read: (raw: Raw) => unknown,
  refusals: Readonly<Record<string, string>> | undefined,
): (raw: Raw) => unknown {
  if (refusals === undefined) return read;
  return (raw) => {
    try {
      return read(raw);
    } catch (error) {
      const detail =
        error instanceof HttpError && typeof error.detail !== 'string' ? textFor(error.detail, refusals) : null;
      throw detail === null ? error : new HttpError(400, detail);
    }
  };
}

/** Null if a field is only missing, or the first fault is another. */
function textFor(items: readonly ValidationItem[], refusals: Readonly<Record<string, string>>): string | null {
  if (items.some(({ type }) => type === 'missing')) return null;
  return refusals[String(items[0]?.loc[1])] ?? null;
}

/**
 * How a feature declares an endpoint: a spec (pure data: see protocol/rest) joined with a handler by
 * `defineRoute`.
 * The router of the gateway matches the path, authenticates, applies the limit, then calls `route.run`.
 */

export interface RateLimit {
  per: 'key' | 'ip';
  max: number;
  windowMs: number;
  /** The limit counts all nodes together, also without Redis (src/gateway/limits.ts). */
  ofAll?: true;
}

export const perMinute = (max: number, per: RateLimit['per']): RateLimit => ({ per, max, windowMs: 60_000 });

/** home: the node that has the agent. table: the node of the table `table_id`. leader: the node that leads. */
export type AnsweredAt = 'home' | 'table' | 'leader';

export interface RouteSpec {
  /** Unique among all routes; the operationId of the OpenAPI document. */
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the host's root, parameters in braces: '/api/season/{season_id}'. */
  path: `/${string}`;
  tag: string;
  summary: string;
  description?: string;
  /**
   * `agent`: a valid API key, else 401; `admin`: the platform agent's key, else 403. `owner`: the API key, or the
   * sign-in session of the agent's address. `optional`: as `owner`, and nobody where neither is sent. `none`: a key is
   * not looked at. `operator`: ADMIN_KEY in the place of a key, or the
   * sign-in session of a platform agent; nobody without that setting.
   */
  auth: 'none' | 'agent' | 'owner' | 'admin' | 'optional' | 'operator';
  /** An object of strings. A value that does not fit is answered 400 `Invalid NAME format`. */
  params?: TObject;
  /**
   * An object of strings, integers, numbers, booleans. Values are converted from text; a required field with a default
   * is never missing.
   */
  query?: TObject;
  /** Headers of the request that mean something here, beside Authorization, by name: what they do. */
  headers?: Readonly<Record<string, string>>;
  /** The headers that are required. */
  requiredHeaders?: readonly string[];
  body?: TSchema;
  /**
   * Fields of the body that only some askers may leave out, by the handler's decision. The document calls them
   * required.
   */
  asksFor?: readonly string[];
  /** Texts by field of the body: a value that does not fit is answered 400 with the text. */
  refusals?: Readonly<Record<string, string>>;
  /** Body schema of every success by status. */
  answers: Readonly<Record<number, TSchema>>;
  /** Content types of successes that are files, streamed; JSON among them is what `answers` says. */
  files?: Readonly<Record<number, readonly string[]>>;
  /** The handler's possible errors: status and texts. The errors of keys, validation and limits come by themselves. */
  errors?: Readonly<Record<number, readonly string[]>>;
  /** The node of a cluster that answers; any node without. */
  at?: AnsweredAt;
  /** Answers from memory alone, so also while the database is away; all others are 503 then. */
  inMemory?: true;
  /**
   * Default: 60 a minute, per key, or per IP where no key is needed. Null: unlimited.
   */
  limit?: RateLimit | null;
}

/** Keeps the exact type of a spec, which the handler's types come from. */
export function route<const S extends RouteSpec>(spec: S): S {
  return spec;
}

/** The asking agent. */
export interface RequestAgent {
  agentId: string;
  name: string;
  isAdmin: boolean;
  /** Known by the sign-in session of its address, not by its key. */
  bySession?: boolean;
}

type Input<S extends RouteSpec, K extends 'params' | 'query' | 'body'> = S extends {
  readonly [key in K]: infer T extends TSchema;
}
  ? Static<T>
  : undefined;

export interface RouteRequest<S extends RouteSpec = RouteSpec> {
  params: Input<S, 'params'>;
  query: Input<S, 'query'>;
  body: Input<S, 'body'>;
  agent: S['auth'] extends 'none'
    ? null
    : S['auth'] extends 'optional' | 'operator'
      ? RequestAgent | null
      : RequestAgent;
  ip: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Aborted when the client goes away before the answer is complete. */
  readonly signal: AbortSignal;
}

/** A body that is JSON text already, sent as it is. */
export class JsonText {
  constructor(readonly text: string) {}
}

/**
 * A file for the client, piece by piece: pulled as fast as the client reads, and returned when it goes away. Where
 * `chunks` throws, the connection breaks, so that the client knows that the file is not whole.
 */
export class StreamBody {
  constructor(
    readonly chunks: AsyncIterable<Uint8Array>,
    readonly contentType: string,
    /** Letters, digits, dots and dashes. */
    readonly fileName: string,
  ) {}
}

/** A text of another type than JSON, such as a page, sent as it is; the handler's headers name its type. */
export class TextBody {
  constructor(readonly text: string) {}
}

/** One of the spec's successes; everything else is thrown as HttpError. */
export type RouteAnswer<S extends RouteSpec> = {
  [Status in keyof S['answers'] & number]: {
    status: Status;
    body: Static<S['answers'][Status]> | JsonText | FileOf<S, Status>;
    headers?: Readonly<Record<string, string>>;
  };
}[keyof S['answers'] & number];

/** StreamBody or TextBody where the status may be a file, else nothing. */
type FileOf<S extends RouteSpec, Status extends number> = S extends {
  readonly files: { readonly [status in Status]: readonly string[] };
}
  ? StreamBody | TextBody
  : never;

export type RouteHandler<S extends RouteSpec> = (request: RouteRequest<S>) => RouteAnswer<S> | Promise<RouteAnswer<S>>;

/** The router's view of a request once path, key and limit are settled. */
export interface RawRequest {
  params: Readonly<Record<string, string>>;
  /** The query string without its question mark. */
  query: string;
  /** The body as it came, empty when there was none. */
  body: string;
  agent: RequestAgent | null;
  ip: string;
  headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface RawAnswer {
  status: number;
  /** JSON text. */
  body: string;
  /** Sent instead of the body, under a content-type of its own. */
  stream?: AsyncIterable<Uint8Array>;
  headers: Readonly<Record<string, string>>;
}

export interface Route {
  readonly spec: RouteSpec;
  /**
   * Reads and checks the input, runs the handler, encodes its answer. Rejects with HttpError, or what the handler
   * threw.
   */
  run(raw: RawRequest): Promise<RawAnswer>;
}

/** Whether the handler is called with an agent always. */
const NEEDS_AGENT = {
  none: false,
  optional: false,
  operator: false,
  agent: true,
  owner: true,
  admin: true,
};

/**
 * A spec with its handler: `defineRoute(getMe)(({ agent }) => …)`. It works in two steps, so that the handler has the
 * types of this spec before its body is read. So `status: 200` or an enum in the answer needs no cast.
 */
export function defineRoute<S extends RouteSpec>(spec: S): (handler: RouteHandler<S>) => Route {
  const params = paramsReader(spec.params);
  const query = queryReader(spec.query);
  const body = refusing(bodyReader(spec.body), spec.refusals);
  return (handler) => ({
    spec,
    async run(raw) {
      if (NEEDS_AGENT[spec.auth] && raw.agent === null) throw new HttpError(401, Detail.unauthorized);
      const request = {
        params: params(raw.params),
        query: query(raw.query),
        body: body(raw.body),
        agent: spec.auth === 'none' ? null : raw.agent,
        ip: raw.ip,
        headers: raw.headers,
        // The transport makes it when first asked for, and most handlers never ask.
        get signal() {
          return raw.signal;
        },
      };
      // The readers have checked every part against the schemas that RouteRequest<S> is inferred from.
      const { status, body: content, headers = {} } = await handler(request as RouteRequest<S>);
      if (content instanceof StreamBody) return fileAnswer(status, content, headers);
      const written = content instanceof JsonText || content instanceof TextBody;
      const text = written ? content.text : JSON.stringify(content);
      return { status, body: text, headers };
    },
  });
}

function fileAnswer(status: number, file: StreamBody, headers: RawAnswer['headers']): RawAnswer {
  const { chunks, contentType, fileName } = file;
  const named = { 'content-type': contentType, 'content-disposition': `attachment; filename="${fileName}"` };
  return { status, body: '', stream: chunks, headers: { ...named, ...headers } };
}

/** The header of operations that take an idempotency key. */
export const IDEMPOTENCY_KEY = {
  'Idempotency-Key': 'A repetition with the same key and body gets the first answer.',
};

/** The header of operations on one version of a record. */
export const IF_MATCH = { 'If-Match': 'The ETag that the change is meant for. With another ETag the answer is a 412.' };

/** Every status an endpoint may answer with, ascending: the documented set, which tests hold it to. */
export function statusesOf(spec: RouteSpec): number[] {
  const statuses = new Set([...Object.keys(spec.answers), ...Object.keys(spec.errors ?? {})].map(Number));
  if (spec.auth !== 'none') statuses.add(401);
  if (['admin', 'owner', 'optional', 'operator'].includes(spec.auth)) statuses.add(403);
  if ((spec.params !== undefined && hasFormat(spec.params)) || spec.refusals !== undefined) statuses.add(400);
  if (spec.query !== undefined || spec.body !== undefined) statuses.add(422);
  if (spec.body !== undefined) statuses.add(413);
  if (limitOf(spec) !== null) statuses.add(429);
  if (spec.inMemory !== true) statuses.add(503);
  return [...statuses].sort((a, b) => a - b);
}

export function limitOf(spec: RouteSpec): RateLimit | null {
  return spec.limit === undefined ? perMinute(60, NEEDS_AGENT[spec.auth] ? 'key' : 'ip') : spec.limit;
}

/** Whether some path parameter can be refused at all: a bare string takes everything. */
function hasFormat(params: TObject): boolean {
  return Object.values(params.properties).some((property) => Object.keys(property).some((key) => key !== 'type'));
}
