import type { TSchema } from 'typebox';
import { Components } from './components.js';
import { exampleOf } from './example.js';
import { Detail, errorSchema, ValidationErrorBody } from './rest/errors.js';
import { API_VERSION } from './rest/health.js';
import { TAG_NOTES } from './rest/notes/index.js';
import { limitOf, statusesOf, type RouteSpec } from './route.js';
import { isOptionalBody } from './validation.js';

/** The REST API as an OpenAPI 3.1 document, from nothing but the route specs. */

type Json = Record<string, unknown>;

const DESCRIPTION = `Bots play No-Limit Texas Hold'em over the WebSocket at /ws (see /api/asyncapi.json). This is the API around it.
An error body is \`{"detail": "text"}\`. A 422 has a list in place of the text. A 429 has \`Retry-After\` in seconds.`;

const SECURITY_SCHEMES = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'The API key given at registration' },
  operatorKey: { type: 'http', scheme: 'bearer', description: 'The setting ADMIN_KEY of the server' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'agent_poker_session',
    description: 'The cookie of POST /api/auth/callback. In production its name begins with __Host-',
  },
};

/** The HTTP library's own answers to requests that no route sees. */
const LIBRARY_ANSWERS = {
  Malformed: byLibrary('Not an HTTP request, for instance a header with illegal bytes, or two Content-Length headers.'),
  HeadersTooLarge: byLibrary('The headers are over 16 KiB.'),
};

function byLibrary(description: string): Json {
  const schema = { $ref: '#/components/schemas/Error' };
  // Generated clients tell success from error by the types of all bodies: a second type would spoil that.
  return {
    description: `${description} Depending on the transport, the body may be a short HTML text.`,
    content: { 'application/json': { schema } },
  };
}

/** Answers that come before the operation is known. */
export const BEFORE_ROUTING = {
  400: { $ref: '#/components/responses/Malformed' },
  431: { $ref: '#/components/responses/HeadersTooLarge' },
};

export function openapi(specs: readonly RouteSpec[]): object {
  const components = new Components();
  const paths: Record<string, Json> = {};
  for (const spec of specs) (paths[spec.path] ??= {})[spec.method.toLowerCase()] = operation(spec, components);
  return {
    openapi: '3.1.0',
    info: { title: 'Agent Poker', version: API_VERSION, description: DESCRIPTION },
    servers: [{ url: '/' }],
    tags: [...new Set(specs.map((spec) => spec.tag))].map((name) => ({
      name,
      ...(TAG_NOTES[name] === undefined ? {} : { description: TAG_NOTES[name] }),
    })),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: components.schemas,
      responses: LIBRARY_ANSWERS,
    },
  };
}

function operation(spec: RouteSpec, components: Components): Json {
  const limit = limitOf(spec);
  const limited =
    limit === null ? 'Not limited.' : `At most ${limit.max} in ${limit.windowMs / 1000} s per ${limit.per}.`;
  return {
    operationId: spec.id,
    tags: [spec.tag],
    summary: spec.summary,
    description: [spec.description, spec.auth === 'admin' ? 'Platform admin only.' : undefined, limited]
      .filter((sentence) => sentence !== undefined)
      .join(' '),
    security: securityOf(spec),
    ...(limit === null
      ? {}
      : { 'x-rate-limit': { per: limit.per, max: limit.max, window_seconds: limit.windowMs / 1000 } }),
    ...parameters(spec, components),
    ...(spec.body === undefined
      ? {}
      : {
          requestBody: {
            required: !isOptionalBody(spec.body),
            content: json(input(spec.body, spec.asksFor), components),
          },
        }),
    responses: {
      ...BEFORE_ROUTING,
      ...Object.fromEntries(statusesOf(spec).map((status) => [status, answer(spec, status, components)])),
    },
  };
}

function securityOf({ auth }: RouteSpec): object[] {
  if (auth === 'none') return [];
  if (auth === 'operator') return [{ operatorKey: [] }, { session: [] }];
  if (auth === 'optional') return [{}, { apiKey: [] }, { session: [] }];
  return auth === 'owner' ? [{ apiKey: [] }, { session: [] }] : [{ apiKey: [] }];
}

function parameters(spec: RouteSpec, components: Components): Json {
  const of = (where: 'path' | 'query', schemas: Record<string, TSchema>, required: readonly string[]) =>
    Object.entries(schemas).map(([name, schema]) => ({
      name,
      in: where,
      required: where === 'path' || (required.includes(name) && !('default' in schema)),
      schema: components.place(schema),
    }));
  const all = [
    ...of('path', spec.params?.properties ?? {}, []),
    ...of('query', spec.query?.properties ?? {}, spec.query?.required ?? []),
    ...Object.entries(spec.headers ?? {}).map(([name, description]) => ({
      name,
      in: 'header',
      required: spec.requiredHeaders?.includes(name) === true,
      description,
      schema: { type: 'string' },
    })),
  ];
  return all.length === 0 ? {} : { parameters: all };
}

/** As the caller has to send it: a field with a default may be left out. */
function input(schema: TSchema, asksFor: readonly string[] = []): TSchema {
  if (!('properties' in schema) || !('required' in schema)) return schema;
  const properties = schema.properties as Record<string, TSchema>;
  const required = (schema.required as string[]).filter((name) => !('default' in properties[name]!));
  return { ...schema, required: [...required, ...asksFor] } as TSchema;
}

/** Several examples by name, or the one that the schema makes. */
const json = (schema: TSchema, components: Components, examples?: Json) => ({
  'application/json': {
    schema: components.place(schema),
    ...(examples === undefined ? { example: exampleOf(schema) } : { examples }),
  },
});

function answer(spec: RouteSpec, status: number, components: Components): Json {
  const success = spec.answers[status];
  if (success !== undefined)
    return { description: MEANING[status] ?? 'Success', content: successContent(spec, status, success, components) };
  const details: unknown[] = [...(spec.errors?.[status] ?? []), ...byItself(spec, status)];
  if (status === 422) details.push(...MALFORMED);
  const examples = Object.fromEntries(details.map((detail, n) => [`detail${n + 1}`, { value: { detail } }]));
  return {
    description: MEANING[status] ?? 'Error',
    ...(status === 429 || (status === 503 && spec.inMemory !== true)
      ? { headers: { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds' } } }
      : {}),
    content: json(errorSchema(status), components, examples),
  };
}

/** JSON, unless the answer is a file, which may be of several types. */
function successContent(spec: RouteSpec, status: number, success: TSchema, components: Components): Json {
  const types = spec.files?.[status];
  if (types === undefined) return json(success, components);
  const text = (type: string) => [type, { schema: { type: 'string' } }] as const;
  return {
    ...(types.includes('application/json') ? json(success, components) : {}),
    ...Object.fromEntries(types.filter((type) => type !== 'application/json').map(text)),
  };
}

/** The answer to a request that does not fit. */
const MALFORMED = (exampleOf(ValidationErrorBody) as { detail: unknown[] }).detail.map((item) => [item]);

/** The texts of errors that the router answers. */
function byItself(spec: RouteSpec, status: number): string[] {
  switch (status) {
    case 400:
      return [
        ...Object.keys(spec.params?.properties ?? {}).map((name) => `Invalid ${name} format`),
        ...Object.values(spec.refusals ?? {}),
      ];
    case 401:
      return [Detail.unauthorized];
    case 403:
      return {
        admin: [Detail.adminOnly],
        owner: [Detail.otherOrigin],
        optional: [Detail.otherOrigin],
        operator: [Detail.otherOrigin],
        agent: [],
        none: [],
      }[spec.auth];
    case 413:
      return [Detail.bodyTooLarge];
    case 429:
      return [Detail.tooManyRequests];
    case 503:
      return spec.inMemory === true ? [] : [Detail.databaseAway];
    default:
      return [];
  }
}

const MEANING: Readonly<Record<number, string>> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted',
  400: 'Bad request',
  401: 'Missing or invalid credentials',
  402: 'Insufficient balance',
  403: 'Forbidden',
  404: 'Not found',
  409: 'Conflict: a duplicate, or already done',
  412: 'The record has changed since: If-Match does not fit',
  413: 'The body is too large',
  422: 'The request does not fit its schema',
  429: 'Rate limit, or too early',
  503: 'Unavailable',
};
