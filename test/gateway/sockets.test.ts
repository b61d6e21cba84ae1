/**
 * Limits and ends of the gateway's sockets, through real ones with each transport: faults, takeover, slow readers,
 * connection attempts, closing.
 */
import { once } from 'node:events';
import fc from 'fast-check';
import t from 'tap';
import { UNTOLD } from '../../src/protocol/codes.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { recordClose } from '../support/recorder.js';
import {
  ACTION,
  agentId,
  batch,
  Client,
  enter,
  openHouse,
  rawConnection,
  refusedUpgrade,
  SEAT,
  housesOf,
  WAYS,
} from '../support/gateway.js';

t.setTimeout(FILE_MS);

for (const way of WAYS) {
  await t.test(way.name, async (t) => {
    const { withHouse } = housesOf(t, way);

    await withHouse('another version of the WebSocket protocol is told ours', async (t, house) => {
      const socket = await rawConnection(house.port);
      socket.write(
        'GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
          'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 12\r\n\r\n',
      );
      const [answer] = (await once(socket, 'data')) as [Buffer];
      t.match(answer.toString(), /^HTTP\/1\.1 426 Upgrade Required\r\n/);
      t.match(answer.toString(), /sec-websocket-version: 13\r\n/i);
      socket.destroy();
    });

    await withHouse('one resync a second', async (t, house) => {
      const { client } = await enter(house, 1, SEAT);
      const resync = { type: 'resync_request', table_id: 'T1' };
      client.send(resync);
      t.match(await house.shards[1]!.next(), { t: 'resync' });
      house.clock.now += 999;
      client.send(resync);
      t.match(await client.next(), { code: 'rate_limited', message: /resync_request/ });
      house.clock.now += 1;
      client.send(resync);
      t.match(await house.shards[1]!.next(), { t: 'resync' });
    });

    await withHouse('without a seat the tenth fault within five seconds is warned of', async (t, house) => {
      const { client } = await enter(house, 1);
      for (let n = 0; n < 10; n++) client.send(n % 2 === 0 ? 'nonsense' : ACTION);
      const answers = await client.take(6);
      t.same(
        answers.map(({ code }) => code),
        [...Array<string>(5).fill('invalid_message'), 'flood_warning'],
      );
    });

    await withHouse('takeover: the old socket gets 4002 and no frame more; the new one gets them', async (t, house) => {
      const old = await enter(house, 1, SEAT);
      const fresh = await enter(house, 1, SEAT);
      const { sockets } = house.gateway;
      sockets.close(old.socket, 4002, 'session taken over');
      house.forward(
        ...batch([
          { socket: old.socket, text: '"old"' },
          { socket: fresh.socket, text: '"new"' },
        ]),
      );
      t.equal(await fresh.client.frames.next(), '"new"');
      t.same(await old.client.closed, { code: 4002, reason: 'session taken over' });
      t.same(old.client.frames.rest, []);
      t.match(await house.shards[1]!.next(), { t: 'detach', socket: old.socket });
      t.same(await house.registry.closings.next(), { socket: old.socket, agentId: agentId(1) });
      fresh.client.send(ACTION);
      t.match(await house.shards[1]!.next(), { t: 'act', socket: fresh.socket });
    });

    await withHouse(
      'who sits, and was not told that it does not any more, ends; who never sat stays',
      async (t, house) => {
        house.registry.routes.set(2, { shard: 0, table: 'T', seat: 1 });
        const [idle, sits] = [await enter(house, 1), await enter(house, 2)];
        for (const { socket } of [idle, sits]) house.gateway.sockets.untold(socket);
        t.same(await sits.client.closed, { code: 1013, reason: UNTOLD });
        idle.client.send({ type: 'join_lobby' });
        t.match(await house.registry.messages.next(), { message: { type: 'join_lobby' } });
      },
    );

    await withHouse('frames reach each socket whole, in order, after what was said before them', async (t, house) => {
      const players = [await enter(house, 1), await enter(house, 2), await enter(house, 3)];
      const whose = fc.array(fc.constantFrom(0, 1, 2, 3), { maxLength: 60 });
      await fc.assert(
        fc.asyncProperty(fc.array(whose, { minLength: 1, maxLength: 5 }), async (batches) => {
          const expected: string[][] = [[], [], [], []];
          batches.forEach((receivers, b) => {
            players.forEach(({ socket }, p) => {
              house.gateway.sockets.send(socket, { type: 'auto_rebuy_set', enabled: b % 2 === 0 });
              expected[p]!.push(JSON.stringify({ type: 'auto_rebuy_set', enabled: b % 2 === 0 }));
            });
            const frames = receivers.map((p, n) => ({
              socket: players[p]?.socket ?? 999_999,
              text: JSON.stringify({ b, n, name: 'ä♠'.repeat(n) }),
            }));
            receivers.forEach((p, n) => expected[p]!.push(frames[n]!.text));
            house.forward(...batch(frames));
          });
          for (const [p, { client }] of players.entries()) {
            const got = await client.frames.take(expected[p]!.length);
            if (got.join('\n') !== expected[p]!.join('\n')) throw new Error(`player ${p} got ${got.join('\n')}`);
          }
        }),
        { numRuns: 30 },
      );
      t.pass('for any batches, nobody socket included');
    });

    await withHouse(
      'a reader that does not read is closed with 1013, whole frames before it; others go on',
      async (t, house) => {
        const slow = await enter(house, 1, SEAT);
        const quick = await enter(house, 2);
        slow.client.ws.pause();
        const text = JSON.stringify({ pad: 'x'.repeat(60_000) });
        let sent = 0;
        while (house.registry.closings.rest.length === 0) {
          if (++sent > 10_000) throw new Error('the slow reader is never found out');
          house.forward(
            ...batch([
              { socket: slow.socket, text: `${sent}${text}` },
              { socket: quick.socket, text: `${sent}` },
            ]),
          );
          t.equal(await quick.client.frames.next(), `${sent}`);
        }
        t.same(await house.registry.closings.next(), { socket: slow.socket, agentId: agentId(1) });
        t.match(await house.shards[1]!.next(), { t: 'detach', socket: slow.socket });
        house.forward(...batch([{ socket: slow.socket, text: 'too late' }]));
        slow.client.ws.resume();
        const { code, reason } = await slow.client.closed;
        recordClose(code);
        t.same({ code, reason }, { code: 1013, reason: 'reader too slow' });
        const numbers = slow.client.frames.rest.map((frame) => parseInt(frame));
        t.ok(numbers.length > 0 && numbers.length < sent);
        t.same(numbers, [...numbers.keys()].map((n) => n + 1), 'no frame is missing up to the end'); // prettier-ignore
      },
    );

    await withHouse('closing: what is pending goes out, every socket gets 1012, nobody is let in', async (t, house) => {
      const clients = [await enter(house, 1), await enter(house, 2)];
      house.gateway.sockets.send(clients[0]!.socket, { type: 'auto_rebuy_set', enabled: true });
      await house.gateway.close();
      t.match(await clients[0]!.client.next(), { type: 'auto_rebuy_set' });
      for (const { client } of clients) {
        t.same(await client.closed, { code: 1012, reason: 'server is restarting' });
      }
      await t.rejects(Client.connect(house.ws, 'Bearer key-1'), { code: 'ECONNREFUSED' });
      t.equal(house.gateway.sockets.stats.sockets, 0);
    });

    await withHouse(
      'connection attempts are limited by address',
      async (t, house) => {
        await Client.connect(house.ws, 'Bearer nobody');
        await Client.connect(house.ws, 'Bearer nobody');
        const { status, headers, body } = await refusedUpgrade(house.ws);
        t.equal(status, 429);
        t.match(headers['retry-after'], /^([1-9]|[1-5]\d|60)$/);
        t.match(headers, { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' });
        t.same(JSON.parse(body), { detail: 'Too many requests' });
      },
      { WS_CONNECTS_PER_MINUTE: 2 },
    );

    await withHouse('sockets are served on /ws alone', async (t, house) => {
      t.equal((await Client.connect(`${house.ws}/`, 'Bearer key-1')).ws.readyState, 1, 'a trailing slash is tolerated');
      for (const path of ['/', '/api/me', '/docs', '/ws/x', '/wsx']) {
        const refused = await refusedUpgrade(`${house.ws.slice(0, -3)}${path}`);
        t.equal(refused.status, 404, path);
        t.same(JSON.parse(refused.body), { detail: 'Not Found' });
      }
      t.equal((await fetch(`${house.http}/ws`)).status, 404, 'and no page is there');
    });

    await t.test('a registry that fails over one message costs that message, no more', async (t) => {
      const house = await openHouse(way.config);
      const { client, socket } = await enter(house, 1);
      const { registry } = house;
      const message = registry.message.bind(registry);
      registry.message = () => {
        throw new Error('out of order');
      };
      client.send({ type: 'join_lobby' });
      client.send({ type: 'dance' });
      t.match(await client.next(), { code: 'unknown_message' });
      // The failure may come later than the answer.
      await eventually('the failure', () => house.log.errors().length > 0);
      t.match(house.log.errors(), [
        { message: 'registry failed', detail: { socket, err: { message: 'out of order' } } },
      ]);
      registry.message = message;
      client.send({ type: 'join_lobby' });
      t.match(await registry.messages.next(), { message: { type: 'join_lobby' } });
      house.gateway.sockets.close(socket, 4001, 'x'.repeat(200));
      t.same(await client.closed, { code: 4001, reason: '' }, 'and a reason too long for a close frame is left out');
      await house.gateway.close();
    });

    await withHouse('no compression is agreed on', async (t, house) => {
      const client = await Client.connect(house.ws, 'Bearer key-1');
      t.equal(client.ws.extensions, '');
    });

    await withHouse('a request for a socket that is to be closed after it gets none', async (t, house) => {
      const socket = await rawConnection(house.port);
      socket.write(
        'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
          'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer key-4\r\n\r\n',
      );
      t.match(String((await once(socket, 'data'))[0]), /^HTTP\/1.1 404 Not Found/);
      t.same(house.registry.openings.rest, []);
      socket.destroy();
    });

    await withHouse('a connection that breaks without a word is noticed', async (t, house) => {
      const socket = await rawConnection(house.port);
      socket.write(
        'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
          'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer key-4\r\n\r\n',
      );
      const { socket: id } = await house.registry.openings.next();
      for (let text = ''; !text.includes('connected');) text += String((await once(socket, 'data'))[0]);
      socket.resetAndDestroy();
      t.same(await house.registry.closings.next(), { socket: id, agentId: agentId(4) });
    });
  });
}
