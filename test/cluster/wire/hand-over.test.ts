/** A session moves between nodes. Its client loses no message, and gets no second greeting. */
import t, { type Test } from 'tap';
import type { SocketId } from '../../../src/table/api.js';
import { Client } from '../../support/gateway.js';
import { FILE_MS } from '../../support/limits.js';
import { acquaint, handOver, openRelayNode, relayWorld, type RelayNode } from '../../support/relay-world.js';

t.setTimeout(FILE_MS);

const [A, B, C] = ['a', 'b', 'c'].map((digit) => `${digit}0000000-0000-4000-8000-000000000000`) as [
  string,
  string,
  string,
];
const JOIN = (n: number) => ({ type: 'join_lobby', buy_in: n });

/** Clients come to B. */
async function threeNodes(t: Test) {
  const world = relayWorld();
  const [a, b, c] = [
    await openRelayNode(t, A, world),
    await openRelayNode(t, B, world),
    await openRelayNode(t, C, world),
  ];
  acquaint([a, b, c]);
  return { world, a, b, c };
}

/** A client after the welcome of its home. */
async function enter(home: RelayNode, edge: RelayNode) {
  const client = await Client.connect(edge.url, 'Bearer key-1');
  const { socket } = await home.registry.openings.next();
  await client.next();
  if (home !== edge) await edge.registry.openings.next();
  return { client, socket };
}

/** Sends messages while the session moves. Returns the messages that each node received. */
async function sendsAmid(
  client: Client,
  move: () => void,
  nodes: readonly RelayNode[],
  world: { clock: { now: number } },
) {
  const sent: number[] = [];
  const heard: { node: string; n: number }[] = [];
  const say = (n: number) => {
    // Time passes, so that no limit drops a message.
    if (n % 10 === 0) world.clock.now += 1_001;
    sent.push(n);
    client.send(JOIN(n));
  };
  for (let n = 0; n < 15; n++) say(n);
  move();
  for (let n = 15; n < 30; n++) {
    say(n);
    if (n % 3 === 0) await new Promise(setImmediate);
  }
  for (const { nodeId, registry } of nodes) {
    void (async () => {
      for (;;) {
        const message = await registry.messages.next();
        heard.push({ node: nodeId, n: 'buy_in' in message ? message.buy_in! : -1 });
      }
    })();
  }
  while (heard.length < sent.length) await new Promise(setImmediate);
  return { sent, heard };
}

for (const [name, from, to] of [
  ['to another node', 'b', 'a'],
  ['back to the node of its socket', 'a', 'b'],
  ['from another node to a third', 'a', 'c'],
] as const) {
  await t.test(name, async (t) => {
    const nodes = await threeNodes(t);
    const { world } = nodes;
    const [home, next] = [nodes[from], nodes[to]];
    if (home !== nodes.b) world.homes.set('key-1', home.nodeId);
    const { client, socket } = await enter(home, nodes.b);
    home.gateway.sockets.send(socket, { type: 'auto_rebuy_set', enabled: true });
    const given = handOver(1, { paces: [1, 2] });
    const move = () => {
      world.homes.set('key-1', next.nodeId);
      home.gateway.sockets.relay(socket, next.nodeId, given);
    };
    const { sent, heard } = await sendsAmid(client, move, [home, next], world);
    t.same(
      heard.map(({ n }) => n),
      sent,
      'each once, in order',
    );
    t.equal(heard.at(-1)?.node, next.nodeId);
    const opening = await next.registry.openings.next();
    t.same(opening.hello.handOver, given);
    t.match(await client.next(), { type: 'auto_rebuy_set' }, 'what was said before comes first');
    next.gateway.sockets.send(opening.socket, { type: 'auto_rebuy_set', enabled: false });
    t.match(await client.next(), { type: 'auto_rebuy_set', enabled: false }, 'there is no second greeting');
    t.same(home.registry.closings.rest, [], 'the old registry hears no end');
    client.ws.close();
    t.match(await next.registry.closings.next(), { socket: opening.socket });
    t.same(home.registry.closings.rest, []);
  });
}

await t.test('there and back again, many times', async (t) => {
  const { world, a, b } = await threeNodes(t);
  const { client, socket } = await enter(b, b);
  let at: { node: RelayNode; socket: SocketId } = { node: b, socket };
  for (let n = 0; n < 20; n++) {
    const next = at.node === b ? a : b;
    world.homes.set('key-1', next.nodeId);
    world.clock.now += 200;
    at.node.gateway.sockets.relay(at.socket, next.nodeId, handOver(1));
    client.send(JOIN(n));
    at = { node: next, socket: (await next.registry.openings.next()).socket };
    t.match(await next.registry.messages.next(), JOIN(n));
  }
});

await t.test('to a node that is away: the registry of the socket’s node has it', async (t) => {
  const { world, a, b } = await threeNodes(t);
  const { client, socket } = await enter(b, b);
  a.lease.good = false;
  client.send(JOIN(1));
  await b.registry.messages.next();
  b.gateway.sockets.relay(socket, A, handOver(1));
  client.send(JOIN(2));
  const { hello } = await b.registry.openings.next();
  t.same(hello.handOver, handOver(1));
  t.match(await b.registry.messages.next(), JOIN(2));
  t.same(client.frames.rest, [], 'no second greeting');
  t.equal(world.homes.size, 0);
});

await t.test('a home that has just given the session up answers so, and the edge asks again', async (t) => {
  const { world, a, b, c } = await threeNodes(t);
  world.homes.set('key-1', A);
  a.registry.decide = (socket) => {
    world.homes.set('key-1', C);
    a.gateway.sockets.relay(socket, C, null);
  };
  const client = await Client.connect(b.url, 'Bearer key-1');
  client.send(JOIN(1));
  t.match(await client.next(), { type: 'connected' });
  t.match(await c.registry.messages.next(), JOIN(1));
  t.match((await c.registry.openings.next()).hello, { relayedFrom: B }, 'no relay leads to another');
  t.equal((await b.registry.openings.take(2)).length, 2);
});

await t.test('three homes in a row may answer so', async (t) => {
  const { world, a, b } = await threeNodes(t);
  world.homes.set('key-1', A);
  a.registry.decide = (socket) => a.gateway.sockets.relay(socket, C, null);
  const client = await Client.connect(b.url, 'Bearer key-1');
  t.same(await client.closed, { code: 1012, reason: 'server is restarting' });
  t.equal((await a.registry.openings.take(4)).length, 4);
  t.same(a.registry.openings.rest, []);
});

await t.test('a node that is alone relays nothing', async (t) => {
  const { b } = await threeNodes(t);
  const { client, socket } = await enter(b, b);
  b.gateway.sockets.relay(socket + 1000, A, null);
  client.send(JOIN(1));
  t.match(await b.registry.messages.next(), JOIN(1), 'an unknown socket is nobody’s');
});
