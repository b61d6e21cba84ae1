/**
 * A client cannot tell a relayed socket from a socket at the node of its session, until a node or the connection to it
 * dies.
 */
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { isLean } from '../../../src/table/api.js';
import { FOR_NEWCOMERS } from '../../../src/table/outbox.js';
import { agentId, batch, Client } from '../../support/gateway.js';
import { eventually, FILE_MS } from '../../support/limits.js';
import { InternalGate } from '../../support/internal-gate.js';
import { acquaint, openRelayNode, relayWorld, type RelayNode } from '../../support/relay-world.js';

t.setTimeout(FILE_MS);

const [A, B] = ['a', 'b'].map((digit) => `${digit}0000000-0000-4000-8000-000000000000`) as [string, string];
const JOIN = (n: number) => ({ type: 'join_lobby', buy_in: n });

/** Clients connect to the edge. The home of key-1 is the other node. */
async function twoNodes(t: Test, options: Parameters<typeof openRelayNode>[3] = {}) {
  const world = relayWorld();
  const home = await openRelayNode(t, A, world, options);
  const edge = await openRelayNode(t, B, world, options);
  acquaint([home, edge]);
  world.homes.set('key-1', A);
  return { world, home, edge };
}

/** A client after its `connected`, and its socket at its home node. */
async function enter(edge: RelayNode, home: RelayNode) {
  const client = await Client.connect(edge.url, 'Bearer key-1');
  t.match(await client.next(), { type: 'connected', agent_id: agentId(1) });
  const { socket } = await home.registry.openings.next();
  await edge.registry.openings.next();
  return { client, socket };
}

await t.test('frames and messages, both in order', async (t) => {
  const { edge, home } = await twoNodes(t);
  const { client, socket } = await enter(edge, home);
  const frames = Array.from({ length: 500 }, (_, n) => `"frame ${n} é"`);
  for (let at = 0; at < frames.length; at += 50) {
    const part = batch(frames.slice(at, at + 50).map((text) => ({ socket, text })));
    // The shard writes its next frames into the returned buffer.
    home.gateway.hub.forward(...part, (bytes) => void new Uint8Array(bytes).fill(0x21));
    client.send(JOIN(at));
  }
  t.same(await client.frames.take(frames.length), frames);
  t.same(
    (await home.registry.messages.take(10)).map((message) => 'buy_in' in message && message.buy_in),
    Array.from({ length: 10 }, (_, n) => n * 50),
  );
  t.same(edge.registry.messages.rest, [], 'the edge reads nothing of it');
  t.match(edge.gateway.sockets.stats, { sockets: 1, relayedOut: 1, relayedIn: 0 });
  t.match(home.gateway.sockets.stats, { sockets: 0, relayedOut: 0, relayedIn: 1 });
  t.same(home.wire.sent(), { frame: frames.length + 2, message: 0, call: 0 }, 'with `taken` and `connected`');
  t.same(edge.wire.sent(), { frame: 0, message: 11, call: 0 }, 'with the opening');
});

await t.test('what the home learns of the socket', async (t) => {
  const { edge, home } = await twoNodes(t);
  const client = new WebSocket(`${edge.url}?competition_id=c1`, ['agent-poker.lean.1'], {
    headers: { authorization: 'Bearer key-1' },
  });
  const { socket, hello } = await home.registry.openings.next();
  t.match(hello, {
    ip: '127.0.0.1',
    competitionId: 'c1',
    relayedFrom: B,
    shown: { kind: 'key', hash: /^[0-9a-f]{64}$/ },
  });
  t.equal(hello.apiKey, null, 'the key stays at the edge');
  t.notMatch(JSON.stringify(hello), 'key-1');
  t.ok(isLean(socket));
  client.terminate();
});

await t.test('what is sent before the welcome counts, once, in order', async (t) => {
  const { edge, home } = await twoNodes(t);
  home.registry.decide = () => undefined;
  const client = await Client.connect(edge.url, 'Bearer key-1');
  for (let n = 0; n < 30; n++) client.send(JOIN(n));
  const { socket, hello } = await home.registry.openings.next();
  await eventually('the edge to have judged all', () => edge.gateway.sockets.stats.rateLimited === 10);
  home.registry.answer(socket, hello);
  t.match(await client.next(), { type: 'connected' });
  client.send(JOIN(30));
  const heard = await home.registry.messages.take(21);
  t.same(
    heard.map((message) => 'buy_in' in message && message.buy_in),
    [...Array.from({ length: 20 }, (_, n) => n), 30],
    'twenty in a second by the edge, and then what the home counts',
  );
  t.match(await client.next(), { type: 'error', code: 'rate_limited' }, 'the rest is answered after them');
});

for (const [code, reason] of [
  [4001, 'unauthorized'],
  [4002, 'session taken over'],
  [1012, 'server is restarting'],
  [1013, 'reader too slow'],
  [1000, ''],
] as const) {
  await t.test(`the home closes with ${code}`, async (t) => {
    const { edge, home } = await twoNodes(t);
    const { client, socket } = await enter(edge, home);
    home.gateway.sockets.send(socket, { type: 'auto_rebuy_set', enabled: true });
    home.gateway.sockets.close(socket, code, reason);
    t.match(await client.next(), { type: 'auto_rebuy_set' }, 'after what was said before');
    t.same(await client.closed, { code, reason });
    t.same(await home.registry.closings.next(), { socket, end: { code, reason, by: 'server' } });
    await eventually('the edge to forget it', () => edge.gateway.sockets.stats.sockets === 0);
    t.same(edge.registry.closings.rest, [], 'the edge’s registry has nothing of it');
  });
}

await t.test('a refusal is an error frame and a close', async (t) => {
  const { edge, home } = await twoNodes(t);
  home.registry.decide = (socket) => {
    home.gateway.sockets.refuse(socket, { code: 'auth_failed', message: 'no' }, 4001);
  };
  const client = await Client.connect(edge.url, 'Bearer key-1');
  t.match(await client.next(), { type: 'error', code: 'auth_failed' });
  t.match(await client.closed, { code: 4001 });
});

await t.test('the client closes, or vanishes', async (t) => {
  const { edge, home } = await twoNodes(t);
  for (const [leave, end] of [
    [(ws: WebSocket) => ws.close(4000, 'enough'), { code: 4000, reason: 'enough', by: 'client' }],
    [(ws: WebSocket) => ws.close(), { code: 1005, reason: '', by: 'client' }],
    [(ws: WebSocket) => ws.terminate(), { code: 1006, by: 'client' }],
  ] as const) {
    const { client, socket } = await enter(edge, home);
    leave(client.ws);
    t.match(await home.registry.closings.next(), { socket, end });
  }
});

await t.test('the edge ends what is against the limits of a socket, and the home knows', async (t) => {
  const { edge, home } = await twoNodes(t);
  const large = await enter(edge, home);
  large.client.send(' '.repeat(16_385));
  t.match(await large.client.closed, { code: 1009 });
  t.match(await home.registry.closings.next(), { end: { code: 1009, by: 'server' } });
  const pings = await enter(edge, home);
  for (let n = 0; n < 201; n++) pings.client.ws.ping();
  t.match(await pings.client.closed, { code: 1008 });
  t.match(await home.registry.closings.next(), { end: { code: 1008, by: 'server' } });
});

await t.test('a flood is cut off by the home', async (t) => {
  const { edge, home } = await twoNodes(t);
  const { client } = await enter(edge, home);
  for (let n = 0; n < 210; n++) client.send(JOIN(n));
  t.same(await client.closed, { code: 1008, reason: 'too many messages' });
  t.match(await home.registry.closings.next(), { end: { code: 1008, by: 'server' } });
  t.equal(home.registry.messages.rest.length, 20);
});

await t.test('too many pings are answered by the home', async (t) => {
  const { edge, home } = await twoNodes(t);
  const { client } = await enter(edge, home);
  for (let n = 0; n < 25; n++) client.ws.ping();
  t.match(await client.next(), { type: 'error', code: 'rate_limited' });
  t.match(await home.registry.mishaps.next(), { code: 'rate_limited' });
});

await t.test('a client that does not read ends with 1013, and others go on', async (t) => {
  const { edge, home } = await twoNodes(t, { bufferBytes: 200_000 });
  const slow = await enter(edge, home);
  const good = await enter(edge, home);
  slow.client.ws.pause();
  const text = JSON.stringify('x'.repeat(10_000));
  let isOver = false;
  void home.registry.closings.next().then(({ socket, end }) => {
    t.same({ socket, code: end.code, by: end.by }, { socket: slow.socket, code: 1013, by: 'server' });
    isOver = true;
  });
  while (!isOver) {
    home.gateway.hub.forward(...batch([slow, good].map(({ socket }) => ({ socket, text }))));
    await good.client.frames.next();
  }
  slow.client.ws.resume();
  t.match(await slow.client.closed, { code: 1013 });
  t.equal(edge.gateway.sockets.stats.slowReaders, 1);
});

await t.test('a relay that falls silent ends on both sides', async (t) => {
  const { edge, home } = await twoNodes(t);
  const gate = await InternalGate.open(t, home.wire.port.port);
  acquaint([edge, home], new Map([[A, gate.port]]));
  const { client, socket } = await enter(edge, home);
  gate.freeze();
  t.same(await client.closed, { code: 1012, reason: 'server is restarting' });
  t.same(await home.registry.closings.next(), { socket, end: { code: 1006, reason: '', by: 'client' } });
});

await t.test('a relay that breaks ends on both sides', async (t) => {
  const { edge, home } = await twoNodes(t);
  const gate = await InternalGate.open(t, home.wire.port.port);
  acquaint([edge, home], new Map([[A, gate.port]]));
  const { client, socket } = await enter(edge, home);
  gate.breakConnections();
  t.match(await client.closed, { code: 1012 });
  t.match(await home.registry.closings.next(), { socket, end: { code: 1006 } });
});

await t.test('the home drains', async (t) => {
  const { edge, home } = await twoNodes(t);
  const { client } = await enter(edge, home);
  await home.close();
  t.same(await client.closed, { code: 1012, reason: 'server is restarting' });
});

await t.test('the edge drains, and the home knows who ended the socket', async (t) => {
  const { edge, home } = await twoNodes(t);
  const { client } = await enter(edge, home);
  await edge.close();
  t.match(await client.closed, { code: 1012 });
  t.match(await home.registry.closings.next(), { end: { code: 1012, by: 'server' } });
});

for (const [name, breakHome] of [
  ['is not there', async ({ home }: { home: RelayNode }) => home.wire.port.close()],
  ['has lost its lease', async ({ home }: { home: RelayNode }) => void (home.lease.good = false)],
  ['does not live', async ({ edge }: { edge: RelayNode }) => edge.wire.peers.set([])],
] as const) {
  await t.test(`a home that ${name}: the socket waits, and its registry is asked again`, async (t) => {
    const { edge, home, world } = await twoNodes(t);
    await breakHome({ home, edge });
    const client = await Client.connect(edge.url, 'Bearer key-1');
    client.send(JOIN(7));
    await edge.registry.openings.take(3);
    world.clock.now += 5_999;
    await edge.registry.openings.next();
    world.homes.delete('key-1');
    t.match(await client.next(), { type: 'connected' }, 'its home is here now');
    t.match(await edge.registry.messages.next(), JOIN(7));
    t.same(edge.registry.messages.rest, []);
  });

  await t.test(`a home that ${name} for six seconds`, async (t) => {
    const { edge, home, world } = await twoNodes(t);
    await breakHome({ home, edge });
    const client = await Client.connect(edge.url, 'Bearer key-1');
    await edge.registry.openings.take(2);
    world.clock.now += 6_000;
    t.same(await client.closed, { code: 1012, reason: 'server is restarting' });
    t.match(edge.gateway.sockets.stats, { sockets: 0, relayedOut: 0 });
  });
}

await t.test('a client that leaves while its home is not reached', async (t) => {
  const { edge, home } = await twoNodes(t);
  home.lease.good = false;
  const client = await Client.connect(edge.url, 'Bearer key-1');
  await edge.registry.openings.take(2);
  client.ws.close();
  await client.closed;
  await eventually('the edge to forget it', () => edge.gateway.sockets.stats.sockets === 0);
});

await t.test('a node with another secret is no home', async (t) => {
  const world = relayWorld();
  const home = await openRelayNode(t, A, world, { secret: 'another' });
  const edge = await openRelayNode(t, B, world);
  acquaint([home, edge]);
  world.homes.set('key-1', A);
  const client = await Client.connect(edge.url, 'Bearer key-1');
  await edge.registry.openings.take(2);
  t.same(home.registry.openings.rest, []);
  world.clock.now += 6_000;
  t.match(await client.closed, { code: 1012 });
});

await t.test('a spectator', async (t) => {
  const { edge, home } = await twoNodes(t);
  const client = await Client.connect(`${edge.url}/watch?table_id=T1`, 'Bearer key-1');
  const { socket, hello } = await edge.registry.watchings.next();
  t.match(hello, { tableId: 'T1', headers: { authorization: 'Bearer key-1' } });
  edge.gateway.sockets.relayWatch(socket, A, { agentId: agentId(1) });
  const far = await home.registry.watchings.next();
  t.same(far.hello, { tableId: 'T1', ip: '127.0.0.1', viewer: { agentId: agentId(1) }, headers: {} });
  home.gateway.sockets.watch(far.socket, { shard: 0, table: 'T1', agentId: null });
  const asked = await home.shard.next();
  if (asked.t !== 'watch') throw new Error(`the table got ${asked.t}`);
  const say = (text: string, mark = 0) => {
    const [bytes, index] = batch([{ socket: asked.watch, text }]);
    index[1] = (index[1]! | mark) >>> 0;
    home.gateway.hub.forward(bytes, index);
  };
  say('"state"', FOR_NEWCOMERS);
  t.equal(await client.frames.next(), '"state"');
  for (let n = 0; n < 5; n++) {
    say(`"event ${n}"`);
    t.equal(await client.frames.next(), `"event ${n}"`);
  }
  client.ws.close();
  t.match(await home.shard.next(), { t: 'unwatch' });
  t.match(edge.gateway.sockets.stats, { watchers: 0, relayedOut: 0 });
  t.same(edge.registry.closings.rest, []);
});
