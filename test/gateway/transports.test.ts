/** The two network libraries behind their one interface. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { chooseTransport } from '../../src/gateway/listen.js';
import type { HttpRequest, Transport, TransportOptions } from '../../src/gateway/transport.js';
import { wsTransport } from '../../src/gateway/ws.js';
import { Client, FakeLog, EventQueue, rawConnection, TRANSPORTS } from '../support/gateway.js';
import { FILE_MS } from '../support/limits.js';
import { stopCluster } from '../support/database.js';
import { Player } from '../support/player.js';
import { TestPlatform, type Env } from '../support/platform.js';
import { openRedis, redisUrl, withoutRedis } from '../support/redis.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const options: TransportOptions = {
  host: '127.0.0.1',
  port: 0,
  bodyLimit: 1000,
  frameLimit: 1000,
  bufferLimit: 100_000,
  idleSeconds: 8,
  log: new FakeLog(),
};
const handlers = {
  http: () => Promise.reject(new Error('not expected')),
  admit: () => Promise.resolve(null),
  open: () => ({ message: () => undefined, control: () => undefined, closed: () => undefined }),
  clientKey: (request: HttpRequest) => request.header('x-client') || request.remote,
};

for (const transport of TRANSPORTS) {
  const listen = chooseTransport(transport, new FakeLog());

  void t.test(`${transport}: a port in use is told as an error`, async (t) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await t.rejects(listen({ ...options, port }, handlers), {
      message: `cannot listen on 127.0.0.1:${port}: address in use or not ours`,
    });
    other.close();
  });

  void t.test(`${transport}: a handler that fails is answered 500, and logged`, async (t) => {
    const log = new FakeLog();
    const failing = await listen(
      { ...options, log },
      { ...handlers, admit: () => Promise.reject(new Error('no limiter')) },
    );
    const response = await fetch(`http://127.0.0.1:${failing.port}/`);
    t.same([response.status, await response.json()], [500, { detail: 'Internal Server Error' }]);
    await t.rejects(Client.connect(`ws://127.0.0.1:${failing.port}/ws`), { message: /500/ });
    t.equal(log.errors().length, 2);
    await failing.close(1012, '');
  });
}

/** Eight seconds are the least of the native transport, so the test checks both transports at once. */
void t.test('a dead peer is noticed, a quiet one that lives is kept', { timeout: 60_000 }, async (t) => {
  const watch = async (transport: (typeof TRANSPORTS)[number]) => {
    const closed = new EventQueue<string>();
    const server = await chooseTransport(transport, new FakeLog())(options, {
      ...handlers,
      open: (_socket, request) => ({
        message: () => undefined,
        control: () => undefined,
        closed: () => closed.push(request.query),
      }),
    });
    const living = await Client.connect(`ws://127.0.0.1:${server.port}/ws?living`);
    const dead = await rawConnection(server.port);
    dead.write(
      'GET /ws?dead HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    );
    t.equal(await closed.next(), 'dead', `${transport}: it never answered a ping`);
    t.equal(living.ws.readyState, living.ws.OPEN);
    await server.close(1012, 'bye');
    t.same(await living.closed, { code: 1012, reason: 'bye' });
    dead.destroy();
  };
  await Promise.all(TRANSPORTS.map(watch));
});

void t.test('no socket is lost at its upgrade, whatever memory is used by what opens it', async (t) => {
  for (const transport of TRANSPORTS) {
    for (const late of [false, true]) {
      const kept: Buffer[] = [];
      const server = await chooseTransport(transport, new FakeLog())(
        { ...options, idleSeconds: 120 },
        {
          ...handlers,
          http: async () => ({ status: 404, headers: {}, body: null }),
          admit: () => (late ? new Promise((resolve) => setTimeout(() => resolve(null), 1)) : null),
          open: () => {
            // Fills freed memory with bytes that could be taken for a response to close.
            for (let size = 16; size <= 600; size += 8) kept.push(Buffer.allocUnsafeSlow(size).fill(16));
            return { message: () => undefined, control: () => undefined, closed: () => undefined };
          },
        },
      );
      let lost = 0;
      for (let n = 0; n < 50; n++) {
        const ws = new WebSocket(`ws://127.0.0.1:${server.port}/ws`);
        await once(ws, 'open');
        const ended = once(ws, 'close').then(() => true);
        const answered = new Promise<false>((resolve) => ws.once('pong', () => resolve(false)));
        ws.ping();
        if (await Promise.race([ended, answered])) lost++;
        ws.terminate();
      }
      t.equal(lost, 0, `${transport}, let in ${late ? 'later' : 'at once'}`);
      await server.close(1012, 'over');
    }
  }
});

void t.test('what is no request gets its answer as JSON too, where the library lets us: transport ws', async (t) => {
  const listen = async (more: { headMs?: number }) => {
    const server = await wsTransport({ ...options, ...more }, handlers);
    t.teardown(() => server.close(1012, 'over'));
    return server;
  };
  const answerTo = async ({ port }: Transport, bytes: string) => {
    const socket = await rawConnection(port);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    const ended = once(socket, 'close');
    socket.write(bytes);
    await ended;
    const [head = '', body = ''] = text.split('\r\n\r\n');
    t.match(head, /content-type: application\/json/i, text);
    return [Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), JSON.parse(body) as unknown];
  };
  const start = 'GET /health HTTP/1.1\r\nHost: x\r\n';
  const patient = await listen({});
  for (const [bytes, status, detail] of [
    ['GARBAGE\r\n\r\n', 400, 'Not an HTTP request'],
    [`${start}bad header: \0\r\n\r\n`, 400, 'Not an HTTP request'],
    [`${start}x-long: ${'x'.repeat(64 * 1024)}\r\n\r\n`, 431, 'Request header fields too large'],
  ] as const) {
    t.same(await answerTo(patient, bytes), [status, { detail }]);
  }
  // The end of its head never comes.
  const hasty = await listen({ headMs: 100 });
  t.same(await answerTo(hasty, start), [408, { detail: 'The request took too long' }]);
});

void t.test('ws: who is refused keeps no connection, though it never ends its own', async (t) => {
  const server = await wsTransport(options, { ...handlers, admit: () => ({ status: 429, headers: {}, body: '{}' }) });
  const upgrade =
    'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';
  const linger = async (bytes: string) => {
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    // Later bytes get a reset after the server has closed its end.
    const closed = new Promise<void>((resolve) => socket.on('error', () => socket.destroy()).on('close', resolve));
    socket.write(bytes);
    socket.resume();
    await once(socket, 'end');
    const trickle = setInterval(() => socket.write('x'), 50);
    await closed;
    clearInterval(trickle);
  };
  await Promise.all(['GARBAGE\r\n\r\n', upgrade].map(linger));
  t.pass('both are gone');
  await server.close(1012, 'over');
});

/** Limits are counted in Redis, so the decision about a socket comes later. No other socket is connected then. */
async function firstOfAll(t: Test, env: Env): Promise<void> {
  const platform = await TestPlatform.start(t, env);
  const account = await platform.register();
  for (let n = 0; n < 3; n++) {
    const player = await Player.open(platform, account);
    await player.next('connected');
    await player.close();
    await platform.empty();
  }
  await platform.stop();
  t.notMatch(platform.output, /cork/i, 'the library has nothing to say about it');
  t.same(platform.faults, []);
}

void t.test('the first socket of all, let in by Redis', { skip: withoutRedis }, async (t) => {
  const redis = await openRedis(t);
  await firstOfAll(t, { TRANSPORT: 'uws', REDIS_URL: await redisUrl(t, redis) });
});
