import Type from 'typebox';
import t, { type Test } from 'tap';
import { registerAgent } from '../../src/protocol/rest/accounts.js';
import { HttpError } from '../../src/protocol/rest/errors.js';
import { defineRoute, perMinute, route, StreamBody, type Route } from '../../src/protocol/route.js';
import { EventQueue, openHouse, WAYS, type House } from './gateway.js';
import { recordAnswer } from './recorder.js';

/** A gateway with routes of every kind, for the tests of its REST side. */

const Thing = Type.Object({ name: Type.String({ minLength: 1 }), size: Type.Optional(Type.Integer()) });
const base = { tag: 'Test', summary: 'For the test', answers: { 200: Type.Unknown() } } as const;

/** Bytes of an answer that is too large for one write. */
export const LARGE = 8 * 1024 * 1024;

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

/** The messages of the handlers to the test. */
interface Backstage {
  runs: EventQueue<Run>;
  /** Calls of the slow route that hang until the test releases them. */
  hanging: EventQueue<() => void>;
  /** Calls of the route with the large answer. */
  served: { large: number };
}

/** A route that answers with a stream; `?count=…&size=…&fail=…`. */
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

type RestTest = (
  name: string,
  run: (t: Test, house: House, backstage: Backstage) => Promise<void>,
  config?: Parameters<typeof openHouse>[0],
) => Promise<unknown>;

/** Runs the tests with each transport, each with a house of its own. forwarder.test.ts has the tests between nodes. */
export async function restTests(tests: (withHouse: RestTest) => Promise<void>): Promise<void> {
  for (const way of WAYS.filter(({ config }) => config.NODES !== 2)) {
    const withHouse: RestTest = (name, run, config = {}) =>
      t.test(`${way.name}: ${name}`, async (t) => {
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
    await tests(withHouse);
  }
}

/** A request that checks an error body against its schema. */
export async function ask(house: House, method: string, path: string, init: RequestInit = {}) {
  const response = await fetch(house.http + path, { method, redirect: 'manual', ...init });
  const text = await response.text();
  const body: unknown = text === '' ? null : JSON.parse(text);
  if (response.status >= 400) recordAnswer({ method: 'NONE', path }, response.status, body);
  return { status: response.status, headers: response.headers, body };
}

export const key = (n: number | string) => ({
  headers: { authorization: `Bearer ${typeof n === 'number' ? `key-${n}` : n}` },
});
export const post = (body: string | Uint8Array, n = 1) => ({ ...key(n), body });
