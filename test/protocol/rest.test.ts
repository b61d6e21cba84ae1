/** Routes: values in and out are held to their schemas, whatever is sent. */
import fc from 'fast-check';
import t from 'tap';
import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { asyncapi } from '../../src/protocol/asyncapi.js';
import { ClientMessages } from '../../src/protocol/client.js';
import { openapi } from '../../src/protocol/openapi.js';
import { errorSchema, HttpError, invalidField, type ValidationItem } from '../../src/protocol/rest/errors.js';
import { Rest, restSpecs } from '../../src/protocol/rest/index.js';
import {
  defineRoute,
  JsonText,
  limitOf,
  route,
  statusesOf,
  type RawRequest,
  type Route,
} from '../../src/protocol/route.js';
import { ServerMessages } from '../../src/protocol/server.js';
import { examples } from '../support/frames.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

const agent = { agentId: '018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b11', name: 'ada_bot', isAdmin: false };
const raw = (change: Partial<RawRequest>): RawRequest => ({
  params: {},
  query: '',
  body: '',
  agent,
  ip: '127.0.0.1',
  headers: {},
  signal: new AbortController().signal,
  ...change,
});

/** A route with every kind of input, which answers what it was given. */
const echo = defineRoute(
  route({
    id: 'echo',
    method: 'POST',
    path: '/api/echo/{id}',
    tag: 'Test',
    summary: 'Echo',
    auth: 'agent',
    params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
    query: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
      sort: Type.Enum(['up', 'down'], { default: 'up' }),
      all: Type.Optional(Type.Boolean()),
      share: Type.Optional(Type.Number()),
      word: Type.Optional(Type.String({ maxLength: 3 })),
    }),
    body: Type.Object({
      name: Type.String({ minLength: 3, maxLength: 32, pattern: '^[a-z]+$' }),
      note: Type.Optional(Type.Union([Type.String({ pattern: '^0x' }), Type.Null()])),
      count: Type.Integer({ default: 7 }),
      items: Type.Optional(Type.Array(Type.Object({ kind: Type.Enum(['a', 'b']) }, { additionalProperties: false }))),
    }),
    answers: { 200: Type.Object({ params: Type.Unknown(), query: Type.Unknown(), body: Type.Unknown() }) },
    errors: { 409: ['Taken'] },
  }),
)(({ params, query, body }) => {
  if (body.name === 'taken') throw new HttpError(409, 'Taken', { 'x-hint': 'other' });
  return { status: 200, body: { params, query, body }, headers: { etag: '"1"' } };
});

const id = '018f4e0b-0000-7000-8000-000000000001';
const good = { params: { id }, body: '{"name":"ada"}' };

async function refusal(of: Route, change: Partial<RawRequest>): Promise<HttpError> {
  const error: unknown = await of.run(raw(change)).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof HttpError) return error;
  throw new Error('the request was not refused', { cause: error });
}

/** The items of a 422 as "where type". */
async function items(change: Partial<RawRequest>): Promise<string[]> {
  const { status, body } = await refusal(echo, { ...good, ...change });
  if (status !== 422 || !Compile(errorSchema(422) as TSchema).Check(body)) throw new Error(JSON.stringify(body));
  return (body.detail as ValidationItem[]).map(({ loc, type }) => `${loc.join('.')} ${type}`).sort();
}

void t.test('a handler gets typed values: defaults filled in, query text converted', async (t) => {
  const answer = await echo.run(raw({ ...good, query: 'limit=5&all=true&share=0.5&word=5&unknown=1&limit=6' }));
  t.equal(answer.status, 200);
  t.same(answer.headers, { etag: '"1"' });
  t.same(JSON.parse(String(answer.body)), {
    params: { id },
    query: { limit: 6, sort: 'up', all: true, share: 0.5, word: '5' },
    body: { name: 'ada', count: 7 },
  });
});

void t.test('what does not fit is answered 422 with place, words and type of each fault', async (t) => {
  t.same(await items({ body: '{}' }), ['body.name missing']);
  t.same(await items({ body: '' }), ['body missing']);
  t.same(await items({ body: '{"name":' }), ['body json_invalid']);
  t.same(await items({ body: '[]' }), ['body dict_type']);
  t.same(await items({ body: '{"name":"ab"}' }), ['body.name string_too_short']);
  t.same(await items({ body: '{"name":"Ada!"}' }), ['body.name string_pattern_mismatch']);
  t.same(await items({ body: '{"name":7,"count":1.5}' }), ['body.count int_type', 'body.name string_type']);
  t.same(await items({ body: '{"name":"ada","note":"1"}' }), ['body.note string_pattern_mismatch']);
  t.same(await items({ body: '{"name":"ada","note":1}' }), ['body.note string_type'], 'null is not advised');
  t.same(await items({ body: '{"name":"ada","items":[{"kind":"a"},{"kind":"c"},{"kind":"b","x":1},{}]}' }), [
    'body.items.1.kind enum',
    'body.items.2.x extra_forbidden',
    'body.items.3.kind missing',
  ]);
  t.same(await items({ query: 'limit=0' }), ['query.limit greater_than_equal']);
  t.same(await items({ query: 'limit=201' }), ['query.limit less_than_equal']);
  for (const limit of ['x', '', '1.5', '0x10', '1e2', ' 1', 'null'])
    t.same(await items({ query: `limit=${encodeURIComponent(limit)}` }), ['query.limit int_parsing'], limit);
  t.same(await items({ query: 'all=maybe' }), ['query.all bool_parsing']);
  t.same(await items({ query: 'sort=left&word=long' }), ['query.sort enum', 'query.word string_too_long']);
  const { body } = await refusal(echo, { ...good, body: '{"name":"ab"}' });
  t.same(body.detail, [
    { loc: ['body', 'name'], msg: 'String should have at least 3 characters', type: 'string_too_short' },
  ]);
  t.same(invalidField('email').body, { detail: [{ loc: ['body', 'email'], msg: 'Field required', type: 'missing' }] });
});

void t.test(
  'a malformed id in the path is 400, a missing key 401, and what a handler throws goes through',
  async (t) => {
    const malformed = await refusal(echo, { ...good, params: { id: 'seven' } });
    t.same([malformed.status, malformed.body], [400, { detail: 'Invalid id format' }]);
    t.equal((await refusal(echo, { ...good, agent: null })).status, 401);
    const taken = await refusal(echo, { ...good, body: '{"name":"taken"}' });
    t.same([taken.status, taken.body, taken.headers], [409, { detail: 'Taken' }, { 'x-hint': 'other' }]);
    t.notOk(Compile(errorSchema(409) as TSchema).Check({ detail: [] }), 'only a 422 has a list');
  },
);

void t.test('a body that is JSON text already is sent as it is', async (t) => {
  const table = defineRoute(Rest.getTable)(({ params }) => ({
    status: 200,
    body: new JsonText(`{"table_id":"${params.table_id}"}`),
  }));
  t.equal((await table.run(raw({ agent: null, params: { table_id: 'c1' } }))).body, '{"table_id":"c1"}');
});

void t.test('no body or query whatever makes a route fail in another way than HttpError', async () => {
  const register = defineRoute(Rest.registerAgent)(({ body }) => {
    throw new HttpError(409, body.name);
  });
  const bodies = fc.oneof(
    fc.json(),
    fc.string(),
    fc
      .record({ name: fc.anything(), email: fc.anything(), terms_accepted: fc.anything() })
      .map((b) => JSON.stringify(b)),
  );
  const leaderboard = defineRoute(Rest.getLeaderboard)(() => ({ status: 200, body: [] }));
  const queries = fc.oneof(
    fc.string(),
    fc.webQueryParameters(),
    fc.string().map((value) => `limit=${encodeURIComponent(value)}&sort_by=${value}`),
  );
  await fc.assert(
    fc.asyncProperty(bodies, queries, async (body, query) => {
      const refused = await refusal(register, { agent: null, body });
      const answered = await leaderboard.run(raw({ agent: null, query })).catch((error: unknown) => error);
      return [409, 422].includes(refused.status) && (!(answered instanceof Error) || answered instanceof HttpError);
    }),
  );
});

void t.test('registration takes what the spec takes', (t) => {
  const check = (change: object) =>
    Compile(Rest.registerAgent.body).Check({
      name: 'ada_bot',
      email: 'ada@example.com',
      terms_accepted: true,
      ...change,
    });
  t.ok(check({}));
  t.ok(
    check({ wallet_address: null, invite_code: null, avatar_url: null, more: 1 }),
    'null as absent, unknown ignored',
  );
  t.ok(check({ name: 'a'.repeat(32), wallet_address: `0x${'aB'.repeat(20)}`, avatar_url: 'https://x.example/a.png' }));
  for (const name of ['ab', 'a'.repeat(33), 'a b c', 'ada-bot', 'äda_bot', '', 'ada\n'])
    t.notOk(check({ name }), JSON.stringify(name));
  for (const email of ['ada', 'ada@', '@example.com', 'ada@exa mple.com', `${'a'.repeat(250)}@x.com`, null])
    t.notOk(check({ email }), String(email));
  t.notOk(check({ terms_accepted: 'yes' }));
  t.notOk(check({ wallet_address: '0x12' }));
  for (const path of ['', ':8443', '/', '/a.png?size=2#x', '?a'])
    t.ok(check({ avatar_url: `https://img.x-1.example${path}` }), path);
  const hosts = ['127.0.0.1', '127.1', '2130706433', '0x7f.1', '0x7f000001', '[::1]', '[::ffff:7f00:1]', '127.0.0.1.'];
  const others = [
    'localhost',
    'ada@x.example',
    'ada:pw@x.example',
    'x.example\\@127.0.0.1',
    '１２７.0.0.1',
    'x.example%2f',
  ];
  for (const host of [...hosts, ...others, '', '.example'])
    t.notOk(check({ avatar_url: `https://${host}/a.png` }), host);
  for (const url of [
    'http://x.example/a.png',
    'javascript:alert(1)',
    '//x.example',
    'https://x.example/\0',
    'https://x.example\n',
  ])
    t.notOk(check({ avatar_url: url }), JSON.stringify(url));
  t.end();
});

void t.test('answers are held to their exact fields', (t) => {
  const fits = (schema: TSchema, value: unknown) => Compile(schema).Check(value);
  const season = {
    season_id: id,
    season_number: 1,
    start_date: '2025-06-01T12:00:00+00:00',
    end_date: '2025-06-15T12:00:00+00:00',
    value_function_sha256: null,
  };
  t.ok(fits(Rest.getSeason.answers[200], { ...season, status: 'ended' }));
  t.notOk(fits(Rest.getSeason.answers[200], { ...season, status: 'winding_down' }));
  const away = { playing: false, table_id: null, seat: null, stack: null, stack_chips: null, competition_id: null };
  t.ok(fits(Rest.getActiveGame.answers[200], away));
  t.ok(
    fits(Rest.getActiveGame.answers[200], {
      playing: true,
      table_id: 'c1',
      seat: 0,
      stack: 5,
      stack_chips: 5,
      competition_id: null,
    }),
  );
  t.notOk(fits(Rest.getActiveGame.answers[200], { ...away, playing: true }));
  const services = { database: 'ok', cache: 'ok', coordinator: 'ok', mail: 'unavailable' };
  const money = { units_match: true, balance_cents: 0, balance_ucents: 0, locked_cents: 0, locked_ucents: 0 };
  const health = {
    status: 'degraded',
    version: '0.1.0',
    uptime_seconds: 1.5,
    services,
    game: { active_tables: 1, active_connections: 2, lobby_queue: 0 },
    deposits_pending: 0,
    withdrawal: { running: false },
    financial_reconciliation: money,
  };
  t.ok(fits(Rest.getHealth.answers[200], health));
  t.notOk(fits(Rest.getHealth.answers[200], { ...health, services: { ...services, mail: 'slow' } }));
  const forViewer = new Set(['hero', 'to_call', 'min_raise_to', 'max_raise_to']);
  const spectators = Object.fromEntries(Object.entries(examples.table_state).filter(([key]) => !forViewer.has(key)));
  t.ok(fits(Rest.getTable.answers[200], spectators));
  t.notOk(fits(Rest.getTable.answers[200], examples.table_state), 'a spectator sees no hero');
  t.end();
});

void t.test('specs agree with themselves', (t) => {
  for (const spec of restSpecs) {
    const inPath = [...spec.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    t.same(Object.keys(spec.params?.properties ?? {}), inPath, `${spec.id}: parameters of the path`);
    t.notSame(Object.keys(spec.answers), [], `${spec.id} has an answer`);
    for (const status of Object.keys(spec.answers)) t.match(status, /^2\d\d$/, `${spec.id}: errors are thrown`);
    for (const status of Object.keys(spec.errors ?? {})) t.match(status, /^[45]\d\d$/, spec.id);
    const data = ['GET', 'DELETE'].includes(spec.method);
    t.notOk(data && spec.body !== undefined, `${spec.id}: ${spec.method} has no body`);
  }
  t.equal(new Set(restSpecs.map(({ method, path }) => `${method} ${path}`)).size, restSpecs.length);
  t.same(statusesOf(Rest.registerAgent), [201, 400, 403, 409, 413, 422, 429, 503]);
  t.same(statusesOf(Rest.getSeason), [200, 400, 404, 429, 503]);
  t.same(statusesOf(Rest.getTable), [200, 404, 429, 503], 'a free text as id is never malformed');
  t.same(statusesOf(Rest.getReady), [200, 404, 429, 503]);
  t.same(limitOf(Rest.listTables), { per: 'ip', max: 60, windowMs: 60_000 });
  t.end();
});

/** The limits of docs/reference/rest.md to the letter: a minute each. */
const LIMITS: readonly (readonly [operation: string, max: number, per: 'key' | 'ip'])[] = [
  ['GET /api/me', 60, 'key'],
  ['PATCH /api/me', 10, 'key'],
  ['POST /api/me/regenerate-key', 5, 'key'],
  ['GET /api/me/hand-history', 30, 'key'],
  ['GET /api/me/active-game', 60, 'key'],
  ['POST /api/register', 5, 'ip'],
  ['GET /api/season/current', 60, 'ip'],
  ['GET /api/season/list', 60, 'ip'],
  ['GET /api/season/leaderboard', 30, 'ip'],
  ['GET /api/season/me', 60, 'key'],
  ['PATCH /api/season/me', 60, 'key'],
  ['GET /api/season/stats', 30, 'key'],
  ['GET /api/season/chart-data', 30, 'key'],
  ['POST /api/season/register', 5, 'key'],
  ['POST /api/season/rebuy', 10, 'key'],
  ['POST /api/season/pass', 5, 'key'],
  ['POST /api/deposit/onchain', 10, 'key'],
  ['POST /api/withdraw', 5, 'key'],
  ['GET /api/balance', 60, 'key'],
  ['GET /api/withdrawals', 30, 'key'],
  ['GET /api/transactions', 30, 'key'],
  ['GET /api/accounting', 30, 'key'],
  ['GET /api/platform/revenue', 30, 'key'],
];

/**
 * Limits of added operations: sign-in, which sends mails and tries tokens, proofs of wallets, probes, and rebuys as the
 * season's.
 */
const OWN_LIMITS: Readonly<Record<string, number>> = {
  requestSignInLink: 5,
  followSignInLink: 10,
  challengeWallet: 10,
  proveWallet: 10,
  cancelWalletChange: 10,
  listVersions: 30,
  rebuyInCompetition: 10,
  listOpponents: 10,
  getVersus: 20,
  getHealth: 300,
  getLive: 300,
  getReady: 300,
};

void t.test('every limit is the one of the spec', (t) => {
  const specs = new Map(restSpecs.map((spec) => [`${spec.method} ${spec.path}`, spec]));
  for (const [operation, max, per] of LIMITS) {
    const spec = specs.get(operation);
    t.same(spec && limitOf(spec), { per, max, windowMs: 60_000 }, operation);
  }
  const listed = new Set(LIMITS.map(([operation]) => operation));
  for (const [operation, spec] of specs) {
    if (listed.has(operation)) continue;
    const { max, windowMs } = limitOf(spec) ?? {};
    // Operations outside of the specification have 60 a minute, except probes and our additions.
    if (max === undefined) t.match(spec.path, /^\/health/, `${spec.id} is not limited`);
    else t.same([max, windowMs], [OWN_LIMITS[spec.id] ?? 60, 60_000], spec.id);
  }
  t.end();
});

type Json = { [key: string]: Json };

/** Every $ref of a document with the place it stands at. */
function* refs(node: unknown, path = '#'): Generator<[string, string]> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === '$ref') yield [path, String(value)];
    else yield* refs(value, `${path}/${key}`);
  }
}

const resolve = (document: object, ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((here, key) => (here as Json | undefined)?.[key], document);

void t.test('the OpenAPI document is whole', (t) => {
  const document = openapi(restSpecs) as Json;
  t.match(document, { openapi: '3.1.0', info: { version: '0.1.0' } });
  t.same(JSON.parse(JSON.stringify(document)), document, 'plain JSON');
  for (const [at, ref] of refs(document)) t.ok(resolve(document, ref), `${at} → ${ref}`);
  const operations = Object.entries(document.paths!).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  t.equal(operations.length, restSpecs.length);
  const ids = operations.map(({ operation }) => operation.operationId);
  t.equal(new Set(ids).size, ids.length, 'operation ids are unique');
  for (const spec of restSpecs) {
    const operation = resolve(document, '#/paths') as Json;
    const found = operation[spec.path]![spec.method.toLowerCase()]!;
    const statuses = [...new Set([...statusesOf(spec), 400, 431])].sort((a, b) => a - b);
    t.same(Object.keys(found.responses!).map(Number), statuses, `${spec.id}: all its statuses, and the library's`);
    for (const [status, said] of Object.entries(found.responses!)) {
      if (Number(status) < 400) continue;
      const { $ref: ref } = said as { $ref?: unknown };
      const { content } = (typeof ref === 'string' ? resolve(document, ref) : said) as { content?: Json };
      t.ok(content?.['application/json']?.schema, `${spec.id}: ${status} has a body`);
    }
    const ways = { none: 0, agent: 1, admin: 1, owner: 2, optional: 3, operator: 2 }[spec.auth];
    t.equal((found.security as unknown as object[]).length, ways, `${spec.id}: key`);
    t.equal(found['x-rate-limit'] === undefined, limitOf(spec) === null, `${spec.id}: limit`);
  }
  const register = resolve(document, '#/components/schemas/Register') as { required: string[]; examples: unknown[] };
  t.same(register.required, ['name', 'terms_accepted', 'email']);
  t.ok(Compile(Rest.registerAgent.body).Check(register.examples[0]), 'the example fits');
  const paths = resolve(document, '#/paths') as Json;
  const limit = (paths['/api/season/leaderboard']!.get!.parameters as unknown as Json[]).find(
    ({ name }) => String(name) === 'limit',
  );
  t.match(limit, { in: 'query', required: false, schema: { default: 50, maximum: 200 } });
  t.end();
});

void t.test('the OpenAPI document says what must be sent and what else may come', (t) => {
  type Parameter = { name: string; in: string; required: boolean };
  const paths = resolve(openapi(restSpecs), '#/paths') as Record<string, Record<string, { parameters?: Parameter[] }>>;
  const mustSend = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).flatMap(({ parameters = [] }) =>
      parameters.filter((sent) => sent.in === 'header' && sent.required).map(({ name }) => `${path} ${name}`),
    ),
  );
  const token = 'X-Competition-Invite-Token';
  const invites = ['preview', 'accept', 'decline'].map((step) => `/api/competition-invites/${step} ${token}`);
  t.same(mustSend, invites, 'a token that the handlers insist on');
  t.match(paths['/api/competitions']!.post, { responses: { 400: {}, 431: {}, 503: {} } });
  const schemas = resolve(openapi(restSpecs), '#/components/schemas') as Record<string, Json>;
  for (const title of ['DevDeposit', 'WithdrawBody']) {
    t.match(schemas[title]!.properties!.amount, { description: 'Dollars, at most 4 decimals' });
  }
  t.end();
});

void t.test('every operation shows an example of what it takes and of each of its answers', (t) => {
  const paths = resolve(openapi(restSpecs), '#/paths') as Json;
  type Content = Record<string, { example?: unknown; examples?: Json }>;
  for (const spec of restSpecs) {
    const operation = paths[spec.path]![spec.method.toLowerCase()]!;
    if (spec.body !== undefined) {
      const shown = (operation.requestBody!.content as unknown as Content)['application/json']!.example;
      t.ok(Compile(spec.body).Check(shown), `${spec.id} takes ${JSON.stringify(shown)}`);
    }
    for (const [status, answer] of Object.entries(operation.responses!)) {
      const success = spec.answers[Number(status)];
      for (const [type, { example, examples }] of Object.entries((answer.content ?? {}) as unknown as Content)) {
        if (type !== 'application/json') continue;
        if (success === undefined) t.ok(Object.keys(examples ?? {}).length > 0, `${spec.id} ${status}: its words`);
        else t.ok(Compile(success).Check(example), `${spec.id} ${status}: ${JSON.stringify(example).slice(0, 200)}`);
      }
    }
  }
  t.end();
});

void t.test('the examples in the schemas fit the schemas', (t) => {
  for (const spec of restSpecs) {
    for (const schema of [spec.body, ...Object.values(spec.answers)]) {
      const { examples: given = [] } = (schema ?? {}) as { examples?: unknown[] };
      for (const example of given) t.ok(Compile(schema!).Check(example), `${spec.id} ${JSON.stringify(example)}`);
    }
  }
  t.end();
});

void t.test('two schemas of one title are refused, for one would hide the other', (t) => {
  const answer = (title: string, field: string) =>
    route({
      ...Rest.getLive,
      id: field,
      path: `/${field}`,
      answers: { 200: Type.Object({ [field]: Type.Null() }, { title }) },
    });
  t.doesNotThrow(() => openapi([answer('A', 'a'), answer('B', 'b')]));
  t.throws(() => openapi([answer('A', 'a'), answer('A', 'b')]), /two schemas are titled A/);
  t.end();
});

void t.test('the AsyncAPI document is whole, both ways', (t) => {
  const document = asyncapi('poker.example:8080') as Json;
  t.match(document, {
    asyncapi: '3.0.0',
    info: { version: '0.1.0' },
    servers: { platform: { host: 'poker.example:8080' } },
  });
  t.same(JSON.parse(JSON.stringify(document)), document, 'plain JSON');
  for (const [at, ref] of refs(document)) t.ok(resolve(document, ref), `${at} → ${ref}`);
  const inChannel = Object.keys(resolve(document, '#/channels/ws/messages') as Json);
  t.same(inChannel.sort(), [...Object.keys(ClientMessages), ...Object.keys(ServerMessages)].sort());
  const operations = resolve(document, '#/operations') as Record<string, { action: string; messages: unknown[] }>;
  const count = (action: string) =>
    Object.values(operations).reduce(
      (sum, operation) => sum + (operation.action === action ? operation.messages.length : 0),
      0,
    );
  t.equal(count('receive'), Object.keys(ClientMessages).length);
  const watched = Object.keys(resolve(document, '#/channels/watch/messages') as Json);
  t.ok(watched.includes('table_state') && watched.every((type) => type in ServerMessages), 'what spectators read');
  t.notOk(watched.includes('your_turn'));
  t.equal(count('send'), Object.keys(ServerMessages).length + watched.length);
  t.end();
});
