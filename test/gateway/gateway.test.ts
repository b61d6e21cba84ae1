/**
 * The socket side of the gateway, through real sockets, for any transport. Tests the welcome, the order of messages,
 * texts that are no message, and which messages go to a table and which to the lobby.
 */
import { once } from 'node:events';
import t from 'tap';
import { FILE_MS } from '../support/limits.js';
import { recordClose, recordFrame } from '../support/recorder.js';
import { ACTION, agentId, batch, Client, enter, SEAT, housesOf, WAYS } from '../support/gateway.js';

t.setTimeout(FILE_MS);

for (const way of WAYS) {
  await t.test(way.name, async (t) => {
    const { withHouse, withOneNode } = housesOf(t, way);

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

    await withHouse('no more than twenty messages in any second', async (t, house) => {
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

    await withHouse('a turn and a hand that begins each allow one message more', async (t, house) => {
      const { client, socket } = await enter(house, 1, SEAT);
      house.forward(...batch(Array.from({ length: 30 }, () => ({ socket, text: '"turn"', asks: true }))));
      await client.frames.take(30);
      for (let n = 0; n < 51; n++) client.send(ACTION);
      t.match(recordFrame(await client.frames.next()), { type: 'error', code: 'rate_limited' });
      t.equal((await house.shards[1]!.take(50)).length, 50);
      t.equal(house.shards[1]!.rest.length, 0);
    });

    // A relay's two ends count pings and messages apart.
    await withOneNode(
      'who says too much is told once a second, pings included, and cut off at ten times',
      async (t, house) => {
        const { client } = await enter(house, 1);
        const said: unknown[] = [];
        for (let n = 0; n < 100; n++) client.send('x');
        for (let n = 0; n < 100; n++) client.ws.ping();
        client.ws.on('message', (data: Buffer) => said.push((JSON.parse(data.toString()) as { code: string }).code));
        await once(client.ws, 'pong');
        client.send('the last one');
        const closed = await client.closed;
        recordClose(closed.code);
        t.same(closed, { code: 1008, reason: 'too many messages' });
        t.same(said.filter((code) => code === 'rate_limited').length, 1, 'one answer for 180 messages');
        t.ok(said.length <= 22);
      },
    );

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

    await withHouse('what is no message is answered with what is wrong with it', async (t, house) => {
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
        [`{"type":"${'x'.repeat(5000)}"}`, 'unknown_message', /"x{64}…": one of join_lobby, action, /],
        ['{"type":"action"}', 'invalid_message', /^action: /],
        ['{"type":"action","action":"bet"}', 'invalid_message', /^action: /],
        ['{"type":"action","action":"raise","amount":"100"}', 'invalid_message', /^amount: /],
        ['{"type":"join_lobby","buy_in":1e999}', 'invalid_message', /^buy_in: /],
        ['{"type":"join_lobby","buy_in":1500.5}', 'invalid_message', /^buy_in: /],
        ['{"type":"rebuy","amount":0.5}', 'invalid_message', /^amount: /],
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

    await withHouse('a seated session speaks to its table, everything else goes to the registry', async (t, house) => {
      const { client, socket } = await enter(house, 1, SEAT);
      const table = house.shards[1]!;
      const who = { table: 'T1', agentId: agentId(1), socket };
      client.send({ ...ACTION, amount: 40, junk: 'is not passed on' });
      t.same(await table.next(), { t: 'act', ...who, message: { ...ACTION, amount: 40 } });
      client.send({ type: 'leave_table' });
      t.same(await table.next(), { t: 'leave', ...who, sitting: null });
      client.send({ type: 'rebuy', amount: 0, request_id: 'r-1' });
      t.same(await table.next(), { t: 'rebuy', ...who, requestId: 'r-1' });
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
      client.send({ type: 'action', action: 'bet' });
      t.match(await client.next(), { code: 'invalid_message' });
      const fault = { t: 'invalid', table: 'T0', agentId: agentId(1), socket };
      t.same(await house.shards[0]!.next(), fault, 'counted where its actions are rejected');
      client.ws.close();
      await house.registry.closings.next();
      t.equal(house.shards[0]!.rest.length, 0, 'and no table hears that the socket is gone');
    });

    await withHouse('one rebuy and one set_auto_rebuy a second', async (t, house) => {
      const { client } = await enter(house, 1);
      const wish = { type: 'set_auto_rebuy', enabled: true };
      const rebuy = { type: 'rebuy', amount: 0 };
      for (const message of [wish, rebuy, wish, rebuy]) client.send(message);
      t.match(await client.take(2), [
        { code: 'rate_limited', message: /one set_auto_rebuy a second/ },
        { code: 'rate_limited', message: /one rebuy a second/ },
      ]);
      house.clock.now += 1000;
      client.send(wish);
      const passed = await house.registry.messages.take(3);
      t.same(
        passed.map(({ message }) => message.type),
        ['set_auto_rebuy', 'rebuy', 'set_auto_rebuy'],
      );
    });

    await withHouse('eight levels of brackets are read, nine are refused before they are parsed', async (t, house) => {
      const { client } = await enter(house, 1);
      const nested = (levels: number) => `{"type":"x","pad":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
      client.send(nested(8));
      t.match(await client.next(), { code: 'unknown_message' });
      client.send(nested(9));
      t.match(await client.next(), { code: 'invalid_message', message: /^Nested too deep/ });
      client.send('['.repeat(8000));
      t.match(await client.next(), { code: 'invalid_message', message: /^Nested too deep/ });
    });
  });
}
