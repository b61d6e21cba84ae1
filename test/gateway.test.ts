import { once } from 'node:events';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import type { Route } from '../src/gateway/ports.js';
import { recordClose, recordFrame } from './support/recorder.js';
import {
  agentId,
  batch,
  Client,
  enter,
  openHouse,
  rawConnection,
  refusedUpgrade,
  WAYS,
  type House,
} from './support/gateway.js';

/** The socket side of the gateway, through real sockets, whatever holds them. */

t.setTimeout(180_000);

const SEAT: Route = { shard: 1, table: 'T1', seat: 3 };
const ACTION = { type: 'action', action: 'call', client_action_id: 'c1', turn_token: 't1', hand_id: 'h1' };

for (const way of WAYS) {
  await t.test(way.name, async (t) => {
    /** A test with a house of its own. */
    const withHouse = async (
      name: string,
      run: (t: Test, house: House) => Promise<void>,
      config: Parameters<typeof openHouse>[0] = {},
    ): Promise<unknown> =>
      t.test(name, async (t) => {
        const house = await openHouse({ ...way.config, ...config });
        try {
          await run(t, house);
        } finally {
          await house.gateway.close();
        }
        t.same(house.log.errors(), [], 'nothing went wrong inside');
      });

    /** A test that sets the clock: threads of their own keep the real one. */
    const withClock: typeof withHouse = async (...args) => (way.config.FRONTS > 1 ? undefined : withHouse(...args));

    await withHouse('a key in the Authorization header is welcomed, `connected` comes first', async (t, house) => {
      const client = await Client.connect(`${house.ws}?competition_id=pool%201&key=key-9`, 'bEaReR key-7');
      const hello = await house.registry.openings.next();
      t.match(hello, { apiKey: 'key-7', ip: '127.0.0.1', competitionId: 'pool 1' });
      t.same(recordFrame(await client.frames.next()), {
        type: 'connected',
        agent_id: agentId(7),
        name: 'bot_7',
        season_mode: true,
      });
    });

    await withHouse('a bad or missing key is refused with an error frame, then 4001', async (t, house) => {
      const bad = ['Bearer nobody', 'Basic key-1', 'key-1', 'Bearer', 'Bearer key-1 key-2', undefined];
      for (const authorization of bad) {
        const client = await Client.connect(`${house.ws}?api_key=key-1`, authorization);
        t.match(await client.next(), { type: 'error', code: 'auth_failed' }, String(authorization));
        t.same(await client.closed, { code: 4001, reason: 'unauthorized' });
        const { socket } = await house.registry.openings.next();
        t.same(await house.registry.closings.next(), { socket, agentId: null });
      }
    });

    await withHouse('what is sent before the welcome counts, and is handled in order after it', async (t, house) => {
      house.registry.answers = false;
      house.registry.routes.set(1, SEAT);
      const client = await Client.connect(house.ws, 'Bearer key-1');
      client.send('{nonsense');
      for (let n = 2; n <= 21; n++) client.send({ ...ACTION, client_action_id: `c${n}` });
      client.ws.ping();
      await once(client.ws, 'pong');
      const { socket } = await house.registry.openings.next();
      t.equal(house.shards[1]!.rest.length, 0, 'nothing is handled before the welcome');
      house.registry.answer(socket, 'key-1');
      const attach = { t: 'attach', table: 'T1', agentId: agentId(1), socket } as const;
      house.shards[1]!.push(attach);
      t.same(await house.shards[1]!.next(), attach, 'nor before the registry could tell the table of the socket');
      const answers = await client.take(3);
      t.same(
        answers.map(({ type, code }) => code ?? type),
        ['connected', 'invalid_message', 'rate_limited'],
        'the 21st was one too many',
      );
      const sent = await house.shards[1]!.take(20);
      t.same(
        sent.map((message) => (message.t === 'act' ? message.message.client_action_id : message.t)),
        ['invalid', ...Array.from({ length: 19 }, (_, n) => `c${n + 2}`)],
      );
    });

    await withClock('no more than twenty messages in any second', async (t, house) => {
      const { client } = await enter(house, 1, SEAT);
      for (let n = 0; n < 10; n++) client.send(ACTION);
      await house.shards[1]!.take(10);
      house.clock.now += 600;
      for (let n = 0; n < 11; n++) client.send(ACTION);
      await house.shards[1]!.take(10);
      t.match(recordFrame(await client.frames.next()), { type: 'error', code: 'rate_limited' });
      house.clock.now += 400;
      for (let n = 0; n < 11; n++) client.send(ACTION);
      await house.shards[1]!.take(10);
      t.match(await client.next(), { code: 'rate_limited' }, 'the first ten have left the window, the others have not');
      t.equal(house.shards[1]!.rest.length, 0);
    });

    await withHouse(
      'a frame above 16 KiB ends the socket with 1009, one of exactly 16 KiB does not',
      async (t, house) => {
        const { client } = await enter(house, 1);
        const frame = (size: number) =>
          JSON.stringify({ type: 'x', pad: '' }).replace('""', `"${'p'.repeat(size - 21)}"`);
        t.equal(frame(16_384).length, 16_384);
        client.send(frame(16_384));
        t.match(await client.next(), { code: 'unknown_message' });
        client.send(frame(16_385));
        const closed = await client.closed;
        recordClose(closed.code);
        t.same(closed, { code: 1009, reason: 'frame too large' });
      },
    );

    await withHouse('far larger frames and broken UTF-8 text drop the socket', async (t, house) => {
      for (const send of [
        (client: Client) => client.send('x'.repeat(200_000)),
        (client: Client) => client.ws.send(Buffer.from([0x22, 0xff, 0x22]), { binary: false }),
      ]) {
        const { client, socket } = await enter(house, 1);
        send(client);
        await client.closed;
        t.same(await house.registry.closings.next(), { socket, agentId: agentId(1) });
      }
    });

    await withHouse('binary frames are read as UTF-8 text', async (t, house) => {
      const { client } = await enter(house, 1, SEAT);
      client.ws.send(Buffer.from(JSON.stringify(ACTION)), { binary: true });
      t.match(await house.shards[1]!.next(), { t: 'act' });
      client.ws.send(Buffer.from([0x22, 0xff, 0x22]), { binary: true });
      t.match(await client.next(), { code: 'invalid_message', message: 'Not UTF-8 text' });
    });

    await withClock('what is no message is answered with what is wrong with it', async (t, house) => {
      const { client } = await enter(house, 1);
      const cases: [frame: string, code: string, message: RegExp][] = [
        ['', 'invalid_message', /^Malformed JSON: /],
        ['{"type":', 'invalid_message', /^Malformed JSON: /],
        ['null', 'invalid_message', /^Not a JSON object$/],
        ['[{"type":"rebuy"}]', 'invalid_message', /^Not a JSON object$/],
        ['{}', 'invalid_message', /^type: /],
        ['{"type":5}', 'invalid_message', /^type: /],
        ['{"type":"dance"}', 'unknown_message', /"dance"/],
        ['{"type":"__proto__"}', 'unknown_message', /"__proto__"/],
        [`{"type":"${'x'.repeat(5000)}"}`, 'unknown_message', /x{64}…"$/],
        ['{"type":"action"}', 'invalid_message', /^action: /],
        ['{"type":"action","action":"bet"}', 'invalid_message', /^action: /],
        ['{"type":"action","action":"raise","amount":"100"}', 'invalid_message', /^amount: /],
        ['{"type":"join_lobby","buy_in":1e999}', 'invalid_message', /^buy_in: /],
        ['{"type":"set_auto_rebuy"}', 'invalid_message', /^enabled: Field required$/],
        ['{"type":"resync_request","table_id":"T","last_table_seq":-1}', 'invalid_message', /^last_table_seq: /],
      ];
      for (const [frame, code, message] of cases) {
        house.clock.now += 1000;
        client.send(frame);
        const answer = recordFrame(await client.frames.next());
        t.match(answer, { type: 'error', code, message }, frame.slice(0, 60));
      }
      t.equal(client.ws.readyState, client.ws.OPEN, 'none of this closes the socket');
    });

    await withClock('a seated session speaks to its table, everything else goes to the registry', async (t, house) => {
      const { client, socket } = await enter(house, 1, SEAT);
      const table = house.shards[1]!;
      const who = { table: 'T1', agentId: agentId(1), socket };
      client.send({ ...ACTION, amount: 40, junk: 'is not passed on' });
      t.same(await table.next(), { t: 'act', ...who, message: { ...ACTION, amount: 40 } });
      client.send({ type: 'leave_table' });
      t.same(await table.next(), { t: 'leave', ...who });
      client.send({ type: 'rebuy', amount: 0 });
      t.same(await table.next(), { t: 'rebuy', ...who });
      client.send({ type: 'resync_request', table_id: 'T1', last_table_seq: 12 });
      t.same(await table.next(), { t: 'resync', ...who, lastTableSeq: 12 });
      client.send({ type: 'action', action: 'bet' });
      t.match(await client.next(), { code: 'invalid_message' });
      t.same(await table.next(), { t: 'invalid', ...who }, 'the table counts the fault');
      for (const message of [
        { type: 'join_lobby', buy_in: 3000 },
        { type: 'set_auto_rebuy', enabled: true },
      ]) {
        client.send(message);
        t.same(await house.registry.messages.next(), { socket, agentId: agentId(1), message });
      }
      house.clock.now += 1000;
      const message = { type: 'resync_request', table_id: 'another', last_table_seq: null };
      client.send(message);
      t.same(await house.registry.messages.next(), { socket, agentId: agentId(1), message });
      client.ws.close();
      t.same(await table.next(), { t: 'detach', ...who });
      t.same(await house.registry.closings.next(), { socket, agentId: agentId(1) });
    });

    await withHouse('without a seat the registry is asked: a seat may be on its way', async (t, house) => {
      const { client, socket } = await enter(house, 1);
      const passed = async (message: Record<string, unknown>) => {
        client.send(message);
        t.match(await house.registry.messages.next(), { socket, agentId: agentId(1), message });
      };
      await passed(ACTION);
      await passed({ type: 'leave_table' });
      await passed({ type: 'rebuy', amount: 0 });

      house.gateway.sockets.route(socket, { shard: 0, table: 'T0', seat: null });
      house.gateway.sockets.send(socket, { type: 'auto_rebuy_set', enabled: true });
      t.match(await client.next(), { type: 'auto_rebuy_set' }, 'it has its route');
      await passed(ACTION);
      await passed({ type: 'leave_table' });
      client.send({ type: 'resync_request', table_id: 'T0' });
      t.match(await house.shards[0]!.next(), { t: 'resync', table: 'T0', lastTableSeq: null });
      client.ws.close();
      await house.registry.closings.next();
      t.equal(house.shards[0]!.rest.length, 0, 'and no table hears that the socket is gone');
    });

    await withHouse('a frame of a table that comes before the welcome waits for it', async (t, house) => {
      house.registry.answers = false;
      const client = await Client.connect(house.ws, 'Bearer key-1');
      const { socket } = await house.registry.openings.next();
      house.forward(...batch([{ socket, text: '"state"' }]));
      house.registry.answer(socket, 'key-1');
      t.match(await client.next(), { type: 'connected' });
      t.equal(await client.frames.next(), '"state"');
    });

    await withClock('one resync a second', async (t, house) => {
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
      const socket = await rawConnection(house.gateway.port);
      socket.write(
        'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
          'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer key-4\r\n\r\n',
      );
      t.match(String((await once(socket, 'data'))[0]), /^HTTP\/1.1 404 Not Found/);
      t.same(house.registry.openings.rest, []);
      socket.destroy();
    });

    await withHouse('a connection that breaks without a word is noticed', async (t, house) => {
      const socket = await rawConnection(house.gateway.port);
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
