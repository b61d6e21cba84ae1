/** Open connections are bounded, in all and of an address, on both transports. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { LibraryConnections, type Release } from '../../src/gateway/connections.js';
import { chooseTransport } from '../../src/gateway/listen.js';
import type { ConnectionLimits, HttpRequest } from '../../src/gateway/transport.js';
import { connectionBound, openFileLimit, openFilesAdvice } from '../../src/ops/open-files.js';
import { residentBytes } from '../../src/platform/operator.js';
import { schedstatMs } from '../../src/shard/stats.js';
import { FakeLog, TRANSPORTS } from '../support/gateway.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);

const OWN = 'own';

async function serverOf(t: Test, name: (typeof TRANSPORTS)[number], connections: ConnectionLimits) {
  const limits = { bodyLimit: 1000, frameLimit: 1000, bufferLimit: 100_000, idleSeconds: 120 };
  const server = await chooseTransport(name, new FakeLog())(
    { host: '127.0.0.1', port: 0, ...limits, connections, log: new FakeLog() },
    {
      http: async () => ({ status: 200, headers: {}, body: 'well' }),
      admit: () => null,
      open: () => ({ message: () => undefined, control: () => undefined, closed: () => undefined }),
      clientKey: (request: HttpRequest) =>
        request.header('x-client') === OWN ? null : request.header('x-client') || request.remote,
    },
  );
  t.teardown(() => server.close(1012, '', 0));
  const { port } = server;

  /** A connection from this address. True once the server has answered, false if it closes without an answer. */
  const tcp = async (from: string, text = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'): Promise<Socket | null> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    socket.on('error', () => undefined);
    t.teardown(() => socket.destroy());
    await once(socket, 'connect');
    if (text !== '') socket.write(text);
    const heard = await Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]);
    return heard ? socket : null;
  };
  const ws = async (client: string, from = '127.0.0.1'): Promise<WebSocket | null> => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: { 'x-client': client }, localAddress: from });
    t.teardown(() => socket.terminate());
    return once(socket, 'open').then(
      () => socket,
      () => null,
    );
  };
  return { tcp, ws };
}

for (const name of TRANSPORTS) {
  void t.test(`${name}: one more than all may is accepted and closed at once`, async (t) => {
    const { tcp, ws } = await serverOf(t, name, { max: 3, perAddress: 100, proxies: 0 });
    const first = await tcp('127.0.0.1');
    t.ok(first);
    t.ok(await ws('', '127.0.0.2'));
    const third = await ws('', '127.0.0.3');
    t.ok(third);
    t.notOk(await tcp('127.0.0.4'), 'a fourth, from an address that has none');
    t.notOk(await ws('', '127.0.0.5'));
    third!.close();
    await eventually('a place is free', async () => (await tcp('127.0.0.4')) !== null);
    t.notOk(await tcp('127.0.0.5'));
    first!.destroy();
    await eventually('a place is free', async () => (await tcp('127.0.0.5')) !== null);
  });

  void t.test(`${name}: one more than an address may is closed at once, whatever the others do`, async (t) => {
    const { tcp, ws } = await serverOf(t, name, { max: 100, perAddress: 3, proxies: 0 });
    const [kept, socket] = [await tcp('127.0.0.1'), await ws('127.0.0.1')];
    const silent = connect({ port: kept!.remotePort!, host: '127.0.0.1', localAddress: '127.0.0.1' });
    t.teardown(() => silent.destroy());
    await once(silent, 'connect');
    t.notOk(await tcp('127.0.0.1'), 'one that was answered, one that plays, one that is silent');
    t.notOk(await ws('127.0.0.1'));
    t.ok(await tcp('127.0.0.2'), 'another address has room');
    kept!.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    t.ok(await once(kept!, 'data'), 'and those that are open go on');
    for (const leave of [() => socket!.close(), () => silent.destroy(), () => kept!.destroy()]) {
      leave();
      await eventually('a place is free', async () => (await tcp('127.0.0.1')) !== null);
      t.notOk(await tcp('127.0.0.1'));
    }
  });

  void t.test(`${name}: behind a proxy the sockets of a client are counted, and our own are not`, async (t) => {
    const { tcp, ws } = await serverOf(t, name, { max: 100, perAddress: 2, proxies: 1 });
    for (let n = 0; n < 4; n++) t.ok(await tcp('127.0.0.1'), 'the proxy has as many as it needs');
    const [first, second] = [await ws('a'), await ws('a')];
    t.ok(first && second);
    t.notOk(await ws('a'));
    t.ok(await ws('b'));
    for (let n = 0; n < 4; n++) t.ok(await ws(OWN));
    first!.close();
    await eventually('a place is free', async () => (await ws('a')) !== null);
  });
}

void t.test('of a library that tells little: nobody is refused who has room, and nobody has much more', (t) => {
  const [max, perAddress] = [40, 5];
  type Open = {
    address: string;
    state: 'fresh' | 'kept' | 'busy' | 'socket';
    end: Release;
    over: (kept: boolean) => void;
  };
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(2), fc.nat(5), fc.nat(30)), { maxLength: 300 }), (steps) => {
      let now = 0;
      const counted = new LibraryConnections({ max, perAddress, proxies: 0 }, () => now);
      const open: Open[] = [];
      let silent = 0;
      for (const [who, what, which] of steps) {
        const address = `192.0.2.${who}`;
        const of = open.filter((each) => each.address === address);
        const one = of[which % Math.max(1, of.length)];
        now += 10;
        if (what <= 1 || one === undefined) {
          const end = counted.opened(address);
          if (end === null) counted.closed();
          else open.push({ address, state: 'fresh', end, over: () => undefined });
          if (end === null && of.length < perAddress && open.length < max) return false;
          if (end !== null && of.length >= perAddress + silent) return false;
        } else if (what === 2 && (one.state === 'fresh' || one.state === 'kept')) {
          one.over = counted.requested(address);
          one.state = 'busy';
        } else if (what === 3 && one.state === 'busy') {
          one.over(which % 2 === 0);
          if (which % 2 === 0) one.state = 'kept';
          else {
            open.splice(open.indexOf(one), 1);
            counted.closed();
          }
        } else if (what === 4 && one.state === 'busy') {
          one.over(false);
          one.end = counted.upgraded(address);
          one.state = 'socket';
        } else if (what === 5) {
          open.splice(open.indexOf(one), 1);
          if (one.state === 'busy') one.over(false);
          else if (one.state !== 'kept') one.end();
          else silent++;
          if (one.state !== 'socket') counted.closed();
        }
      }
      counted.close();
      return true;
    }),
    { seed: SEED, numRuns: 300 },
  );
  t.end();
});

void t.test('how many may be open follows from the limit of open files', (t) => {
  const sizes = { THREADS: 1, HOSTED_THREADS: 1 };
  const bound = (limit: number | null, max?: number) =>
    connectionBound(
      { ...sizes, DATABASE_CONNECTIONS: 8, ...(max === undefined ? {} : { MAX_CONNECTIONS: max }) },
      limit,
    );
  for (const limit of [256, 1024, 1200, 20_000, 1_048_576]) {
    t.ok(bound(limit) < 0.9 * limit, `${limit} files: ${bound(limit)} connections`);
    t.ok(limit - bound(limit) > 100, 'and files for all else');
    t.equal(bound(limit, 100), 100);
    t.equal(bound(limit, 10_000_000), bound(limit), 'an operator may set less, and not more');
  }
  t.equal(bound(null, 7), 7);
  const advice = (limit: number | null, max?: number) =>
    openFilesAdvice(
      { ...sizes, DATABASE_CONNECTIONS: 8, ...(max === undefined ? {} : { MAX_CONNECTIONS: max }) },
      limit,
    );
  t.match(advice(1024), /^only 1024 files may be open \(ulimit -n\), .* room for 912 connections: .* need 4096$/);
  t.match(advice(20_000, 50_000), /room for 17999 connections: these settings need 55682$/);
  t.equal(advice(4096), null);
  t.equal(advice(null), null);
  t.equal(openFileLimit('/proc/self/no-such-file'), null);
  t.ok(openFileLimit()! > 0);
  t.end();
});

void t.test('a measurement that fails is left out, and ends nothing', (t) => {
  const before = schedstatMs();
  t.ok(before > 0);
  t.equal(schedstatMs('/proc/thread-self/no-such-file'), before);
  const resident = residentBytes();
  t.ok(resident > 1e6);
  const failing = () => {
    throw new Error('ENFILE');
  };
  t.equal(residentBytes(failing), resident);
  t.end();
});
