/** The REST side of the gateway, through real connections, whatever holds them. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import t, { type Test } from 'tap';
import Type from 'typebox';
import { registerAgent } from '../../src/protocol/rest/accounts.js';
import { HttpError } from '../../src/protocol/rest/errors.js';
import { defineRoute, perMinute, route, StreamBody, type Route } from '../../src/protocol/route.js';
import { FILE_MS } from '../support/limits.js';
import { recordAnswer } from '../support/recorder.js';
import {
  agentId,
  Client,
  EventQueue,
  openHouse,
  rawConnection,
  refusedUpgrade,
  WAYS,
  type House,
} from '../support/gateway.js';

t.setTimeout(FILE_MS);

const Thing = Type.Object({ name: Type.String({ minLength: 1 }), size: Type.Optional(Type.Integer()) });
const base = { tag: 'Test', summary: 'For the test', answers: { 200: Type.Unknown() } } as const;

/** Bytes of an answer that no network takes at once. */
const LARGE = 8 * 1024 * 1024;

/** One answer of the streaming route. */
class Run {
  pulled = 0;
  readonly returned: Promise<void>;
  #end: () => void = () => undefined;

  constructor(readonly signal: AbortSignal) {
    this.returned = new Promise((resolve) => (this.#end = resolve));
  }

  async *chunks(count: number, size: number, failAt: number): AsyncGenerator<Uint8Array> {
    try {
      for (let n = 0; n < count; n++) {
        if (n === failAt) throw new Error('the source ran dry');
        this.pulled++;
        yield Buffer.alloc(size, 97 + (n % 26));
      }
    } finally {
      this.#end();
    }
  }
}

/** What the handlers tell the test. */
interface Backstage {
  runs: EventQueue<Run>;
  /** Calls of the slow route that hang until they are let go. */
  hanging: EventQueue<() => void>;
  /** Calls of the route with the large answer. */
  served: { large: number };
}

/** A route whose answer is a stream; `?count=…&size=…&fail=…`. */
function streamRoute({ runs }: Backstage): Route {
  const query = Type.Object(
    Object.fromEntries(['count', 'size', 'fail'].map((k) => [k, Type.Optional(Type.Integer())])),
  );
  const files = { 200: ['text/plain'] } as const;
  const spec = route({ ...base, id: 'stream', method: 'GET', path: '/api/stream', auth: 'none', query, limit: null, files }); // prettier-ignore
  return defineRoute(spec)(({ query, signal }) => {
    const { count = 3, size = 10, fail = Infinity } = query as Record<string, number>;
    const answer = new Run(signal);
    runs.push(answer);
    return { status: 200, body: new StreamBody(answer.chunks(count, size, fail), 'text/plain', 'things.txt') };
  });
}

const routes = (backstage: Backstage): Route[] => [
  defineRoute(route({ ...base, id: 'open', method: 'GET', path: '/api/things', auth: 'none', limit: null }))(
    ({ ip }) => ({
      status: 200,
      body: { ip },
    }),
  ),
  defineRoute(
    route({ ...base, id: 'create', method: 'POST', path: '/api/things', auth: 'agent', body: Thing, limit: null }),
  )(({ body, agent }) => ({ status: 200, body: { body, agent } })),
  defineRoute(
    route({
      ...base,
      id: 'one',
      method: 'GET',
      path: '/api/things/{thing}',
      params: Type.Object({ thing: Type.String() }),
      query: Type.Object({ limit: Type.Integer({ minimum: 1, default: 50 }) }),
      auth: 'none',
      limit: null,
    }),
  )(({ params, query }) => ({ status: 200, body: { ...params, ...query } })),
  defineRoute(route({ ...base, id: 'mine', method: 'GET', path: '/api/things/mine', auth: 'agent', limit: null }))(
    ({ agent }) => ({ status: 200, body: { mine: agent.agentId } }),
  ),
  defineRoute(route({ ...base, id: 'admin', method: 'GET', path: '/api/admin', auth: 'admin' }))(() => ({
    status: 200,
    body: {},
  })),
  defineRoute(
    route({ ...base, id: 'perKey', method: 'GET', path: '/api/per-key', auth: 'agent', limit: perMinute(2, 'key') }),
  )(() => ({ status: 200, body: {} })),
  defineRoute(
    route({ ...base, id: 'perIp', method: 'GET', path: '/api/per-ip', auth: 'none', limit: perMinute(2, 'ip') }),
  )(() => ({ status: 200, body: {} })),
  defineRoute(route({ ...base, id: 'unlisted', method: 'GET', path: '/api/unlisted', auth: 'agent' }))(() => ({
    status: 200,
    body: {},
  })),
  defineRoute(route({ ...base, id: 'broken', method: 'GET', path: '/api/broken', auth: 'none', limit: null }))(() => {
    throw new TypeError('secret-7 is not a function');
  }),
  defineRoute(route({ ...base, id: 'refusing', method: 'GET', path: '/api/refusing', auth: 'none', limit: null }))(
    () => {
      throw new HttpError(429, 'Rebuy on cooldown. Retry after 9s.', { 'retry-after': '9' });
    },
  ),
  defineRoute(route({ ...base, id: 'inject', method: 'GET', path: '/api/inject', auth: 'none', limit: null }))(() => ({
    status: 200,
    body: {},
    headers: { 'x-name': 'a\r\nset-cookie: b' },
  })),
  defineRoute(route({ ...base, id: 'slow', method: 'GET', path: '/api/slow', auth: 'none', limit: null }))(async () => {
    await new Promise<void>((resolve) => backstage.hanging.push(resolve));
    return { status: 200, body: { done: true } };
  }),
  defineRoute(registerAgent)(() => {
    throw new Error('no registration here');
  }),
  defineRoute(route({ ...base, id: 'large', method: 'GET', path: '/api/large', auth: 'none', limit: null }))(() => {
    backstage.served.large++;
    return { status: 200, body: 'x'.repeat(LARGE) };
  }),
  streamRoute(backstage),
];

// Between nodes there is test/cluster/wire/forwarder.test.ts.
for (const way of WAYS.filter(({ config }) => config.NODES !== 2)) {
  await t.test(way.name, async (t) => {
    const withHouse = (
      name: string,
      run: (t: Test, house: House, backstage: Backstage) => Promise<void>,
      config: Parameters<typeof openHouse>[0] = {},
    ) =>
      t.test(name, async (t) => {
        const backstage = { runs: new EventQueue<Run>(), hanging: new EventQueue<() => void>(), served: { large: 0 } };
        const house = await openHouse({ ...way.config, ...config }, routes(backstage), {
          '/metrics': () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: 'up 1\n' }),
        });
        try {
          await run(t, house, backstage);
        } finally {
          await house.gateway.close();
        }
      });

    /** A request whose error body is checked against its schema. */
    async function ask(house: House, method: string, path: string, init: RequestInit = {}) {
      const response = await fetch(house.http + path, { method, redirect: 'manual', ...init });
      const text = await response.text();
      const body: unknown = text === '' ? null : JSON.parse(text);
      if (response.status >= 400) recordAnswer({ method: 'NONE', path }, response.status, body);
      return { status: response.status, headers: response.headers, body };
    }
    const key = (n: number | string) => ({
      headers: { authorization: `Bearer ${typeof n === 'number' ? `key-${n}` : n}` },
    });
    const post = (body: string | Uint8Array, n = 1) => ({ ...key(n), body });

    await withHouse('unknown paths are 404, known paths with another method 405 with Allow', async (t, house) => {
      for (const path of [
        '/nothing',
        '/api',
        '/api/things/x/y',
        '/api//things',
        '/api/things/%ff',
        '/api/things/%00',
      ]) {
        const { status, body } = await ask(house, 'GET', path);
        t.same([status, body], [404, { detail: 'Not Found' }], path);
      }
      const { status, body, headers } = await ask(house, 'DELETE', '/api/things');
      t.same([status, body, headers.get('allow')], [405, { detail: 'Method Not Allowed' }, 'GET, POST, HEAD']);
      t.equal((await ask(house, 'POST', '/docs')).headers.get('allow'), 'GET, HEAD');
      t.equal((await ask(house, 'OPTIONS', '/api/things')).status, 405, 'CORS is off');
    });

    await withHouse('paths: trailing slash, literal before parameter, percent-encoding', async (t, house) => {
      t.equal((await ask(house, 'GET', '/api/things/')).status, 200);
      t.same((await ask(house, 'GET', '/api/things/mine/', key(5))).body, { mine: agentId(5) });
      t.same((await ask(house, 'GET', '/api/things/min%65', key(5))).body, { mine: agentId(5) });
      t.same((await ask(house, 'GET', '/api/things/a%2Fb%20%C3%A4?limit=7&x=%zz')).body, { thing: 'a/b ä', limit: 7 });
      t.same((await ask(house, 'GET', '/api/things/__proto__')).body, { thing: '__proto__', limit: 50 });
    });

    await withHouse('HEAD is GET without its body, and the connection lives on', async (t, house) => {
      const { status, headers, body } = await ask(house, 'HEAD', '/api/things');
      t.same([status, body], [200, null]);
      t.equal(headers.get('content-length'), String('{"ip":"127.0.0.1"}'.length));
      const socket = await rawConnection(house.port);
      let text = '';
      socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
      socket.write('HEAD /api/things HTTP/1.1\r\nHost: x\r\n\r\n');
      while (!text.endsWith('\r\n\r\n')) await once(socket, 'data');
      socket.write('GET /api/things HTTP/1.1\r\nHost: x\r\n\r\n');
      while (!text.includes('{"ip"')) await once(socket, 'data');
      t.equal(text.match(/HTTP\/1\.1 200 OK/g)?.length, 2);
      socket.destroy();
    });

    /** All that comes until the connection ends. */
    async function answerTo(house: House, bytes: string): Promise<string> {
      const socket = await rawConnection(house.port);
      let text = '';
      socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
      const ended = once(socket, 'close');
      // What is still on its way when the other end goes is answered by a reset.
      socket.on('error', () => undefined).write(bytes);
      await ended;
      return text;
    }
    const head = (...lines: string[]) => [...lines, '', ''].join('\r\n');

    await withHouse('a head may be as long as 16 KiB, and not longer', async (t, house) => {
      const start = head('GET /api/things HTTP/1.1', 'Host: x', 'Connection: close', 'X-Long: ').slice(0, -4);
      const fits = `${start}${'x'.repeat(16_000 - start.length)}\r\n\r\n`;
      const socket = await rawConnection(house.port);
      socket.write(fits);
      t.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 200 OK/);
      socket.destroy();
      t.match(await answerTo(house, `${start}${'x'.repeat(17_000)}\r\n\r\n`), /^HTTP\/1\.1 431 /);
    });

    await withHouse(
      'a request that two readers may read differently is 400, and the last of its connection',
      async (t, house) => {
        const post = ['POST /api/things HTTP/1.1', 'Host: x', 'Authorization: Bearer key-1'];
        const upgrade = ['GET /ws HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket'];
        const key = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='];
        const body = '{"name":"x"}';
        const chunked = `c\r\n${body}\r\n0\r\n\r\n`;
        const doubled: Record<string, string> = {
          length: head(...post, 'Content-Length: 12', 'Content-Length: 12') + body,
          'other length': head(...post, 'Content-Length: 12', 'Content-Length: 5') + body,
          host: head(...post, 'Host: y', 'Content-Length: 12') + body,
          authorization: head(...post, 'authorization: Bearer key-2', 'Content-Length: 12') + body,
          encoding: head(...post, 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked') + chunked,
          'length and encoding': head(...post, 'Content-Length: 12', 'Transfer-Encoding: chunked') + chunked,
          'another encoding': head(...post, 'Transfer-Encoding: gzip, chunked') + chunked,
          'upgrade, by two keys': head(
            ...upgrade,
            ...key,
            'Authorization: Bearer key-1',
            'Authorization: Bearer key-2',
          ),
          'upgrade, to two hosts': head(...upgrade, 'Host: y', ...key, 'Authorization: Bearer key-1'),
        };
        const next = head('GET /api/things HTTP/1.1', 'Host: x');
        for (const [what, bytes] of Object.entries(doubled)) {
          const text = await answerTo(house, bytes);
          t.match(text, /^HTTP\/1\.1 400 Bad Request/, what);
          t.notMatch(text.slice(1), 'HTTP/1.1', `${what}: one answer`);
          // The libraries differ in whether the answer still comes where more is there already.
          t.notMatch(await answerTo(house, bytes + next), '200 OK', `${what}: nothing behind it is answered`);
        }
        t.equal(house.registry.openings.rest.length, 0, 'no socket opened');
      },
    );

    await withHouse(
      'an API key in the URL is not read: who shows it there is told where it belongs',
      async (t, house) => {
        const shown = `ap_${'x'.repeat(43)}`;
        for (const query of [`?token=${shown}`, `?a=b&api_key=${shown}&c`]) {
          const { status, body } = await ask(house, 'GET', `/api/things/mine${query}`);
          t.equal(status, 401);
          t.match(body, { detail: /send it in the Authorization header, as "Authorization: Bearer KEY"/ });
          t.notMatch(body, shown);
          const client = await Client.connect(house.ws + query);
          t.match(await house.registry.openings.next(), { apiKey: null, keyInUrl: true });
          await client.closed;
        }
        t.match(await ask(house, 'GET', `/api/things/mine?token=${shown}`, key('nobody')), {
          body: { detail: 'Invalid or missing API key' },
        });
        await Client.connect(`${house.ws}?token=${shown}`, 'Bearer key-1');
        t.notOk((await house.registry.openings.next()).keyInUrl, 'a key in the header counts');
      },
    );

    await withHouse('keys: 401 without a valid one, 403 without the right one', async (t, house) => {
      const bad = [undefined, 'Bearer nobody', 'Basic a2V5LTE=', 'Bearer', 'key-1'];
      for (const authorization of bad) {
        const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
        const answer = await ask(house, 'GET', '/api/things/mine', { headers });
        t.same([answer.status, answer.body], [401, { detail: 'Invalid or missing API key' }], String(authorization));
        t.equal(answer.headers.get('www-authenticate'), 'Bearer');
      }
      t.equal((await ask(house, 'GET', '/api/admin')).status, 401);
      t.same((await ask(house, 'GET', '/api/admin', key(1))).body, { detail: 'Platform admin only' });
      t.equal((await ask(house, 'GET', '/api/admin', key('admin-key'))).status, 200);
    });

    await withHouse('bodies: read, checked, and refused as a list of what is wrong', async (t, house) => {
      const good = await ask(house, 'POST', '/api/things', post('{"name":"Zoë","size":3}', 2));
      t.same(good.body, {
        body: { name: 'Zoë', size: 3 },
        agent: { agentId: agentId(2), name: 'bot_2', isAdmin: false },
      });
      const cases: [body: string | Uint8Array, loc: (string | number)[], type: string][] = [
        ['', ['body'], 'missing'],
        ['{"name":', ['body'], 'json_invalid'],
        [new Uint8Array([0x7b, 0xff, 0x7d]), ['body'], 'json_invalid'],
        ['{}', ['body', 'name'], 'missing'],
        ['{"name":"a","size":1.5}', ['body', 'size'], 'int_type'],
        ['{"name":"a\\u0000b"}', ['body'], 'value_error'],
        ['[]', ['body'], 'dict_type'],
      ];
      for (const [body, loc, type] of cases) {
        const answer = await ask(house, 'POST', '/api/things', post(body));
        t.match([answer.status, answer.body], [422, { detail: [{ loc, type, msg: /./ }] }], String(body));
      }
      t.match((await ask(house, 'GET', '/api/things/a?limit=0')).body, { detail: [{ loc: ['query', 'limit'] }] });
      t.match((await ask(house, 'GET', '/api/things/a?x=%00')).status, 422);
      t.match((await ask(house, 'GET', '/api/things?x=%00')).status, 200, 'where no query is read, none is refused');
    });

    await withHouse('bodies above 64 KiB are 413, however they are sent', async (t, house) => {
      const body = (size: number) => JSON.stringify({ name: 'x'.repeat(size - 11) });
      t.equal(body(65_536).length, 65_536);
      t.equal((await ask(house, 'POST', '/api/things', post(body(65_536)))).status, 200);
      const answer = await ask(house, 'POST', '/api/things', post(body(65_537)));
      t.same([answer.status, answer.body], [413, { detail: 'Request body too large' }]);
      t.equal((await ask(house, 'POST', '/api/things', post(body(5_000_000)))).status, 413);
      const chunked = httpRequest(`${house.http}/api/things`, {
        method: 'POST',
        headers: { authorization: 'Bearer key-1' },
      });
      chunked.write(body(40_000));
      chunked.end(body(40_000));
      const [response] = (await once(chunked, 'response')) as [IncomingMessage];
      t.equal(response.statusCode, 413);
      response.resume();
      t.equal((await ask(house, 'GET', '/api/things')).status, 200, 'the server goes on');
    });

    await withHouse('who shows thirty keys that nobody holds waits, over REST and at the upgrade', async (t, house) => {
      const stranger = { headers: { authorization: 'Bearer nobody' } };
      for (let n = 0; n < 30; n++) t.equal((await ask(house, 'GET', '/api/things/mine', stranger)).status, 401);
      const refused = await ask(house, 'GET', '/api/things/mine', stranger);
      t.same([refused.status, refused.body], [429, { detail: 'Too many requests' }]);
      t.match(refused.headers.get('retry-after'), /^([1-9]|[1-5]\d|60)$/);
      const upgrade = await refusedUpgrade(house.ws, 'Bearer nobody');
      t.same([upgrade.status, upgrade.body], [429, '{"detail":"Too many requests"}']);
      t.equal((await ask(house, 'GET', '/api/things/mine', key(1))).status, 200, 'a key that is known is no stranger');
    });

    await withHouse('pages, and paths where there is nothing, are limited by address', async (t, house) => {
      for (let n = 0; n < 300; n++) await ask(house, 'GET', n % 2 === 0 ? '/' : '/nothing');
      t.equal((await ask(house, 'GET', '/docs')).status, 429);
      t.equal((await ask(house, 'GET', '/api/things')).status, 200);
    });

    await withHouse('who does not read its answers gets no further ones', async (t, house, { served }) => {
      const socket = await rawConnection(house.port);
      socket.pause().on('error', () => undefined);
      // Ends at once where the library can, else the connection is not read any more.
      for (let n = 0; n < 50 && !socket.destroyed; n++) {
        socket.write('GET /api/large HTTP/1.1\r\nHost: a\r\n\r\n');
        t.equal((await ask(house, 'GET', '/api/things')).status, 200);
      }
      t.ok(served.large > 0 && served.large < 20, `${served.large} of 50 were answered`);
      socket.destroy();
    });

    await withHouse('a large answer is read whole, however slowly', async (t, house) => {
      const socket = await rawConnection(house.port);
      socket.write('GET /api/large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      let [size, chunks] = [0, 0];
      for await (const chunk of socket) {
        size += (chunk as Buffer).length;
        if (++chunks % 16 === 0) await new Promise(setImmediate);
        if (size >= LARGE) break;
      }
      t.ok(size >= LARGE);
    });

    await withHouse('limits: per key and per address, each on its own, with Retry-After', async (t, house) => {
      for (const [path, first, other] of [
        ['/api/per-key', key(1), key(2)],
        ['/api/per-ip', {}, null],
      ] as const) {
        t.equal((await ask(house, 'GET', path, first)).status, 200);
        t.equal((await ask(house, 'GET', path, first)).status, 200);
        const { status, body, headers } = await ask(house, 'GET', path, first);
        t.same([status, body], [429, { detail: 'Too many requests' }]);
        t.match(headers.get('retry-after'), /^([1-9]|[1-5]\d|60)$/);
        if (other) t.equal((await ask(house, 'GET', path, other)).status, 200);
      }
      const statuses = [];
      for (let n = 0; n < 61; n++) statuses.push((await ask(house, 'GET', '/api/unlisted', key(1))).status);
      t.same([statuses.indexOf(429), statuses.length], [60, 61], 'sixty a minute where nothing else is said');
    });

    await withHouse('who is refused again and again waits for it, and nobody else does', async (t, house) => {
      const use = async () => (await ask(house, 'GET', '/api/per-key', key(1))).status;
      for (let n = 0; n < 2; n++) t.equal(await use(), 200);
      let unanswered = 0;
      // A machine that stops for a second shows nothing; it does not do so ten times.
      for (let round = 0; round < 10 && unanswered <= 30; round++) {
        const over: number[] = [];
        const flood = Array.from({ length: 60 }, () => use().then((status) => over.push(status)));
        t.equal((await ask(house, 'GET', '/api/things/mine', key(2))).status, 200);
        unanswered = 60 - over.length;
        await Promise.all(flood);
        t.same(new Set(over), new Set([429]), 'all are refused in the end');
      }
      t.ok(unanswered > 30, `${unanswered} of 60 refusals waited when somebody else was answered`);
    });

    await withHouse(
      'registrations are limited by address, as configured',
      async (t, house) => {
        t.equal((await ask(house, 'POST', '/api/register', { body: '{}' })).status, 422, 'counted, whatever it is');
        t.equal((await ask(house, 'POST', '/api/register', { body: '{}' })).status, 429);
      },
      { REGISTRATIONS_PER_MINUTE: 1 },
    );

    await withHouse(
      'behind a proxy the address is what the proxy saw, not what the client claims',
      async (t, house) => {
        const from = (value: string) => ({ headers: { 'x-forwarded-for': value } });
        t.same((await ask(house, 'GET', '/api/things', from('6.6.6.6, 1.2.3.4'))).body, { ip: '1.2.3.4' });
        for (const spoof of ['1.1.1.1', '2.2.2.2']) await ask(house, 'GET', '/api/per-ip', from(`${spoof}, 1.2.3.4`));
        t.equal((await ask(house, 'GET', '/api/per-ip', from('3.3.3.3, 1.2.3.4'))).status, 429);
        t.equal((await ask(house, 'GET', '/api/per-ip', from('3.3.3.3, 1.2.3.5'))).status, 200);
      },
      { TRUSTED_PROXY: 1 },
    );

    await withHouse('without a trusted proxy X-Forwarded-For means nothing', async (t, house) => {
      const answer = await ask(house, 'GET', '/api/things', { headers: { 'x-forwarded-for': '1.2.3.4' } });
      t.same(answer.body, { ip: '127.0.0.1' });
    });

    await withHouse('a failure tells the client nothing and the log everything', async (t, house) => {
      const { status, body, headers } = await ask(house, 'GET', '/api/broken');
      t.same([status, body], [500, { detail: 'Internal Server Error' }]);
      const requestId = headers.get('x-request-id');
      t.match(house.log.errors(), [{ detail: { requestId, path: '/api/broken', err: { message: /secret-7/ } } }]);
      const refused = await ask(house, 'GET', '/api/refusing');
      t.same([refused.status, refused.body], [429, { detail: 'Rebuy on cooldown. Retry after 9s.' }]);
      t.equal(refused.headers.get('retry-after'), '9');
      t.equal((await ask(house, 'GET', '/api/inject')).status, 500, 'a header cannot break out of its line');
    });

    await withHouse('every answer carries the security headers; nothing private is cached', async (t, house) => {
      const answers = [
        ['GET', '/api/things', {}, 'no-cache'],
        ['GET', '/api/things/mine', key(1), 'no-store'],
        ['GET', '/api/things/mine', {}, 'no-store'],
        ['GET', '/api/things', key(1), 'no-store'],
        ['GET', '/nothing', {}, 'no-store'],
        ['GET', '/api/broken', {}, 'no-cache'],
      ] as const;
      const ids = new Set<string | null>();
      for (const [method, path, init, cache] of answers) {
        const { headers } = await ask(house, method, path, init);
        t.equal(headers.get('content-type'), 'application/json');
        t.equal(headers.get('x-content-type-options'), 'nosniff');
        t.equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'");
        t.equal(headers.get('referrer-policy'), 'no-referrer');
        t.equal(headers.get('cache-control'), cache, path);
        t.equal(headers.get('access-control-allow-origin'), null, 'CORS is off');
        ids.add(headers.get('x-request-id'));
      }
      t.equal(ids.size, answers.length, 'each request has an id of its own');
    });

    await withHouse(
      'CORS_ORIGIN lets the pages of that origin in, and no others',
      async (t, house) => {
        const from = (origin: string, more: Record<string, string> = {}) => ({ headers: { origin, ...more } });
        const question = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };
        const asked = await ask(house, 'OPTIONS', '/api/things', from('https://play.example', question));
        t.equal(asked.status, 204);
        t.equal(asked.headers.get('access-control-allow-origin'), 'https://play.example');
        t.equal(asked.headers.get('access-control-allow-credentials'), 'true', 'the session, which trusts that origin');
        t.match(asked.headers.get('access-control-allow-headers'), /Authorization/);
        const answer = await ask(house, 'GET', '/api/things', from('https://play.example'));
        t.equal(answer.headers.get('access-control-allow-origin'), 'https://play.example');
        t.equal(answer.headers.get('access-control-allow-credentials'), 'true');
        t.match(answer.headers.get('access-control-expose-headers'), /Retry-After/);
        t.equal((await ask(house, 'OPTIONS', '/api/things', from('https://evil.example', question))).status, 405);
        const other = await ask(house, 'GET', '/api/things', from('https://evil.example'));
        t.equal(other.headers.get('access-control-allow-origin'), null);
        t.equal(other.headers.get('access-control-allow-credentials'), null);
        t.equal(other.headers.get('vary'), 'origin');
      },
      { CORS_ORIGIN: 'https://play.example' },
    );

    await withHouse('streams: whole, as fast as the client reads, ended when it leaves', async (t, house, { runs }) => {
      const file = await fetch(`${house.http}/api/stream?count=3&size=4`);
      t.equal(await file.text(), 'aaaabbbbcccc');
      t.equal(file.headers.get('content-disposition'), 'attachment; filename="things.txt"');
      const whole = await runs.next();
      await whole.returned;
      t.notOk(whole.signal.aborted);
      const head = await fetch(`${house.http}/api/stream`, { method: 'HEAD' });
      t.equal(head.headers.get('content-type'), 'text/plain');
      t.equal((await runs.next()).pulled, 0, 'nothing is produced for HEAD');

      const reader = await rawConnection(house.port);
      const count = 4000;
      reader.write(`GET /api/stream?count=${count}&size=65536 HTTP/1.1\r\nHost: x\r\n\r\n`);
      const run = await runs.next();
      await once(reader, 'data');
      reader.pause();
      for (let n = 0; n < 5; n++) await ask(house, 'GET', '/api/things');
      t.ok(run.pulled < count / 4, `only what the network takes is produced: ${run.pulled} of ${count}`);
      reader.destroy();
      await run.returned;
      t.ok(run.pulled < count, 'and the producer hears that nobody reads any more');
      t.ok(run.signal.aborted);
    });

    await withHouse('a stream that fails breaks the connection, so that the client knows', async (t, house) => {
      await t.rejects(fetch(`${house.http}/api/stream?count=5&fail=3`).then((response) => response.text()));
      while (house.log.errors().length === 0) await new Promise(setImmediate);
      t.match(house.log.errors(), [
        { message: 'answer broke off', detail: { err: { message: 'the source ran dry' } } },
      ]);
      t.equal((await ask(house, 'GET', '/api/things')).status, 200, 'the server goes on');
    });

    await withHouse('closing waits for answers under way', async (t, house, { hanging }) => {
      const pending = ask(house, 'GET', '/api/slow');
      const letGo = await hanging.next();
      const closed = house.gateway.close();
      letGo();
      t.same((await pending).body, { done: true });
      await closed;
    });

    await withHouse('documents: OpenAPI and AsyncAPI for programs, a page for people', async (t, house) => {
      const rest = (await ask(house, 'GET', '/api/openapi.json')).body as {
        openapi: string;
        paths: Record<string, object>;
      };
      t.match(rest.openapi, /^3\.1/);
      t.match(Object.keys(rest.paths['/api/things'] ?? {}), ['get', 'post']);
      t.ok(rest.paths['/api/asyncapi.json']);
      const events = await ask(house, 'GET', '/api/asyncapi.json');
      t.match(events.body, { asyncapi: /^3/, servers: { platform: { host: house.http.slice('http://'.length) } } });

      const page = await fetch(`${house.http}/docs`);
      const html = await page.text();
      t.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
      t.match(html, '<td>POST /api/things</td>');
      const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '';
      const hash = createHash('sha256').update(style).digest('base64');
      t.match(page.headers.get('content-security-policy'), `style-src 'sha256-${hash}'`);
      t.notMatch(html, /(src|href)="(?!\/api)/, 'nothing is loaded from elsewhere');
      t.equal((await ask(house, 'GET', '/')).headers.get('location'), '/docs');
      t.equal(await (await fetch(`${house.http}/metrics`)).text(), 'up 1\n', 'pages of others stand beside it');
    });
  });
}
