/** A client cannot tell a request that another node answers from a direct one. */
import t, { type Test } from 'tap';
import { Forwarder, FORWARD_PATH, forwardService, isForwarded } from '../../../src/cluster/wire/forwarder.js';
import { Exchange, noHeaders } from '../../../src/gateway/exchange.js';
import type { HttpAnswer, HttpRequest } from '../../../src/gateway/transport.js';
import { clientIp } from '../../../src/gateway/ip.js';
import { FakeLog } from '../../support/gateway.js';
import { introduce, openInternalNode } from '../../support/internal-ports.js';
import { eventually, FILE_MS } from '../../support/limits.js';

t.setTimeout(FILE_MS);

const A = 'a0000000-0000-4000-8000-000000000000';
const B = 'b0000000-0000-4000-8000-000000000000';

/** Requests come to A, and B answers them. */
async function twoNodes(t: Test, http: (request: HttpRequest) => Promise<HttpAnswer>) {
  const log = new FakeLog();
  const calls = { [FORWARD_PATH]: forwardService(() => ({ http })) };
  const a = await openInternalNode(t, { nodeId: A, log, calls: {}, sockets: {} });
  const b = await openInternalNode(t, { nodeId: B, log, calls, sockets: {} });
  introduce(a, b);
  return { a, b, log, forwarder: new Forwarder(a.peers, (request) => clientIp(request, 1)) };
}

function request({ method = 'POST', path = '/api/x', headers = {}, body = '' as string | null } = {}): Exchange {
  const sent = Object.assign(noHeaders(), headers);
  const exchange = new Exchange({ method, path, query: 'a=b%20c', remote: '10.0.0.1', headers: sent });
  exchange.body = body === null ? null : Buffer.from(body);
  return exchange;
}

const AGENT = { agentId: 'x', name: 'ada', isAdmin: false };

const plain = (status: number, body: HttpAnswer['body']): HttpAnswer => ({
  status,
  headers: { 'content-type': 'text/plain', 'set-cookie': 'a=b' },
  body,
});

await t.test('a whole request, and a whole answer', async (t) => {
  const seen: HttpRequest[] = [];
  const { forwarder, log } = await twoNodes(t, async (each) => (seen.push(each), plain(201, 'ä made')));
  const headers = {
    host: 'poker.example',
    'x-own': 'ä',
    authorization: 'Bearer k',
    cookie: 'c=1',
    'x-forwarded-for': '6.6.6.6, 9.8.7.6',
    'sec-websocket-protocol': 'token.x',
    connection: 'keep-alive, x-hop',
    'x-hop': '1',
    te: 'trailers',
    'content-length': '4',
  };
  const answer = await forwarder.forward(B, request({ headers, body: 'b\u0000dy' }), AGENT);
  t.same({ ...answer, body: String(answer.body) }, plain(201, 'ä made'));
  const [came] = seen;
  t.match(came, { method: 'POST', path: '/api/x', query: 'a=b%20c', body: Buffer.from('b\u0000dy') });
  t.same({ ...came!.headers }, { host: 'poker.example', 'x-own': 'ä' }, 'no key, and nothing of the connection');
  t.equal(Object.getPrototypeOf(came!.headers), null);
  t.same(came!.vouched, { agent: AGENT }, 'the caller has authenticated it');
  for (const proxies of [0, 1, 2]) t.equal(clientIp(came!, proxies), '9.8.7.6', `${proxies} proxies`);
  t.ok(isForwarded(came!) && came.from === A);
  t.same(log.lines, []);
});

await t.test('bodies of any kind', async (t) => {
  const given: HttpAnswer['body'][] = [null, '', 'x', Buffer.from([0, 255]), 'y'.repeat(3_000_000)];
  let next = 0;
  const { forwarder } = await twoNodes(t, async ({ body }) => plain(body === null ? 413 : 200, given[next]!));
  for (; next < given.length; next++) {
    const { body } = await forwarder.forward(B, request(), null);
    const expected = given[next]!;
    if (expected === null) t.equal(body, null);
    else t.same(body, Buffer.from(expected as string), `body ${next}`);
  }
  next = 0;
  t.match(await forwarder.forward(B, request({ body: null }), null), { status: 413 }, 'a body that was too large');
});

await t.test('a stream is read no faster than its client reads', async (t) => {
  let made = 0;
  async function* chunks() {
    for (; made < 2_000; made++) yield Buffer.alloc(64 * 1024, made % 256);
  }
  const { forwarder } = await twoNodes(t, async () => plain(200, chunks()));
  const { body } = await forwarder.forward(B, request(), null);
  const reader = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  await reader.next();
  const { signal } = new AbortController();
  let before = -1;
  await eventually('the source to rest', () => before === (before = made), 100);
  t.ok(made < 1_000, `${made} chunks were made for one that was read`);
  t.equal(signal.aborted, false);
  let bytes = 0;
  for (let read = await reader.next(); read.done !== true; read = await reader.next()) bytes += read.value.length;
  t.ok(bytes > 1_999 * 64 * 1024 - 1_000_000 && made === 2_000);
});

await t.test('a client that leaves ends the work of the other node', async (t) => {
  const signals: AbortSignal[] = [];
  const { forwarder } = await twoNodes(t, ({ signal }) => {
    signals.push(signal);
    return new Promise<never>(() => undefined);
  });
  const leaving = request();
  const answer = forwarder.forward(B, leaving, null);
  const signal = await eventually('the request', () => signals[0]);
  leaving.abort();
  await t.rejects(answer, { name: 'NodeAway' });
  await eventually('the end', () => signal.aborted);
});

await t.test('a client that leaves a stream ends its source', async (t) => {
  for (const reads of [0, 1]) {
    let ended = false;
    async function* endless() {
      try {
        for (;;) yield Buffer.alloc(1024);
      } finally {
        ended = true;
      }
    }
    const { forwarder } = await twoNodes(t, async () => plain(200, endless()));
    const { body } = await forwarder.forward(B, request(), null);
    const reader = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    for (let i = 0; i < reads; i++) await reader.next();
    await reader.return!();
    await eventually(`the end after ${reads} chunks`, () => ended);
  }
});

await t.test('a stream that breaks off breaks off here', async (t) => {
  async function* broken() {
    yield Buffer.from('begins');
    throw new Error('a planted fault');
  }
  const { forwarder } = await twoNodes(t, async () => plain(200, broken()));
  await t.rejects(async () => {
    const { body } = await forwarder.forward(B, request(), null);
    for await (const chunk of body as AsyncIterable<Uint8Array>) t.ok(chunk.length > 0);
  });
});

await t.test('nothing is forwarded twice', async (t) => {
  const box: { forwarder?: Forwarder } = {};
  const { forwarder, log } = await twoNodes(t, (each) => box.forwarder!.forward(A, each, null));
  box.forwarder = forwarder;
  await t.rejects(forwarder.forward(B, request(), null), { name: 'NodeAway' });
  t.match(log.errors(), [{ detail: { err: /is answered where it is/ } }]);
});

await t.test('a node that is away', async (t) => {
  const { forwarder, b } = await twoNodes(t, async () => plain(200, 'x'));
  b.lease.good = false;
  await t.rejects(forwarder.forward(B, request(), null), { name: 'NodeAway' });
  await t.rejects(forwarder.forward('nobody', request(), null), { name: 'NodeAway' });
});

await t.test('what is no request is refused', async (t) => {
  const { a } = await twoNodes(t, () => {
    throw new Error('it was answered');
  });
  const tooLong = Buffer.alloc(4);
  tooLong.writeUInt32BE(1e6);
  const bodies = [
    Buffer.alloc(0),
    Buffer.from('garbage'),
    tooLong,
    Buffer.from('\0\0\0\x02{}'),
    Buffer.from('\0\0\0\x02{x'),
  ];
  for (const body of bodies) {
    const answer = await a.peers.call(B, FORWARD_PATH, body);
    t.equal(answer.statusCode, 400);
    answer.resume();
  }
});
