/**
 * Order between three nodes over a real Redis: what one says because of what it has read is read after that, wherever
 * that came from. That this is seen where it is broken, a carrier shows that publishes the posts of a turn one by one.
 */
import { Redis } from 'ioredis';
import { createServer, type AddressInfo, connect, type Socket } from 'node:net';
import { once } from 'node:events';
import t from 'tap';
import type { Carrier } from '../../src/nodes/carrier.js';
import { RedisCarrier } from '../../src/nodes/redis-carrier.js';
import { BusNode } from '../support/bus-house.js';
import { silent, type Scope } from '../support/database.js';
import { eventually, FILE_MS, inSuite } from '../support/limits.js';
import { openCluster, openRedis, withoutRedis } from '../support/redis.js';

t.setTimeout(FILE_MS);

const ROUNDS = inSuite(20_000);
/** Of posts to the third node: longer on their way than what the second says. */
const TEXTS = [10, 1_000, 30_000, 200_000].map((length) => 'x'.repeat(length));

/** No link breaks by silence, however slow the machine is. */
const NEVER_MS = 60_000;
/** Nor by this; but a greeting that was lost is said again sooner. */
const LONG_MS = 10_000;

const redisCarrier =
  (address: string, silentMs = NEVER_MS) =>
  (id: string) =>
    new RedisCarrier({ id, address, installation: 'agent-poker:test', log: silent, silentMs });

async function house(t: Scope, carrier: (id: string) => Carrier, silentMs = NEVER_MS) {
  const nodes = [0, 1, 2].map(() => new BusNode(carrier, { silentMs })) as [BusNode, BusNode, BusNode];
  t.teardown(async () => void (await Promise.all(nodes.map(({ bus }) => bus.close()))));
  await Promise.all(nodes.map((node) => node.begin()));
  for (const a of nodes) for (const b of nodes) if (a !== b) a.bus.peer(b.id);
  await stand(nodes);
  return nodes;
}

const stand = (nodes: readonly BusNode[]) =>
  eventually('all links stand', () => nodes.every((a) => nodes.every((b) => a === b || a.bus.peer(b.id).up)));

/**
 * The first says a number to the third and then to the second, which says it to the third: how often the third has heard
 * it of the second sooner. Before and in between there is talk, so that posts hold more than that.
 */
async function overtaken([first, second, third]: [BusNode, BusNode, BusNode], rounds: number): Promise<number> {
  let [read, heard, wrong] = [0, 0, 0];
  third.message = (peer, { n }) => {
    if (n === 0) return;
    if (peer.id === first.id) read = n;
    else if (read < (heard = n)) wrong++;
  };
  second.message = ({ id }, { n }) => {
    if (id !== first.id || n === 0) return;
    const peer = second.bus.peer(third.id);
    peer.send({ n });
    if (n % 2 === 0) peer.flush();
  };
  first.message = () => undefined;
  const [toSecond, toThird] = [first.bus.peer(second.id), first.bus.peer(third.id)];
  for (let n = 1; n <= rounds; n++) {
    // What is said first to each varies.
    if (n % 3 === 0) toSecond.send({ n: 0 });
    toThird.send({ n, text: TEXTS[n % TEXTS.length]! });
    toSecond.send({ n });
    if (n % 5 === 0) {
      toSecond.flush();
      toThird.send({ n: 0 });
    }
    third.bus.peer(first.id).send({ n: 0, text: TEXTS[n % 2]! });
    third.bus.peer(second.id).send({ n: 0 });
    // As many are under way as links bear.
    if (n % 20 === 0) await eventually('what was said', () => heard === n);
    else await new Promise(setImmediate);
  }
  await eventually('all that was said', () => heard === rounds);
  return wrong;
}

await t.test('what came about through a post is read after it', { skip: withoutRedis }, async (t) => {
  const { path } = await openRedis(t);
  const nodes = await house(t, redisCarrier(path));
  t.equal(await overtaken(nodes, ROUNDS), 0, `in ${ROUNDS} rounds`);
  for (const { bus } of nodes) t.same(Object.values(bus.counts.broken), [0, 0, 0, 0, 0, 0, 0]);
});

await t.test('also in a Cluster', { skip: withoutRedis }, async (t) => {
  const { port } = await openCluster(t);
  const nodes = await house(t, redisCarrier(`redis-cluster://127.0.0.1:${port}`));
  t.equal(await overtaken(nodes, ROUNDS / 10), 0, `in ${ROUNDS / 10} rounds`);
});

await t.test('posts of a turn that leave one by one are overtaken', { skip: withoutRedis }, async (t) => {
  const { path } = await openRedis(t);
  const nodes = await house(t, (id) => {
    const carrier = redisCarrier(path)(id);
    const publish = carrier.publish.bind(carrier);
    type Published = Awaited<ReturnType<typeof publish>>;
    // The next one leaves when the one before has arrived: its reader has time to speak of it.
    const oneByOne = async (posts: Parameters<typeof publish>[0]) => {
      const published: Published[number][] = [];
      for (const post of posts) published.push(...(await publish([post])));
      return published;
    };
    let before: Promise<unknown> = Promise.resolve();
    return Object.assign(carrier, {
      publish: (posts: Parameters<typeof publish>[0]) => {
        // Copies, since a post is its sender's again once this returns.
        const copies = posts.map(({ to, post }) => ({ to, post: Buffer.from(post) }));
        const published = before.then(() => oneByOne(copies));
        before = published.catch(() => undefined);
        return published;
      },
    });
  });
  let wrong = 0;
  for (let i = 0; i < 100 && wrong === 0; i++) wrong = await overtaken(nodes, 100);
  t.ok(wrong > 0);
});

await t.test(
  'a connection that is cut, of whichever kind, breaks all links of its node',
  { skip: withoutRedis },
  async (t) => {
    const { path } = await openRedis(t);
    const nodes = await house(t, redisCarrier(path, LONG_MS), LONG_MS);
    const redis = new Redis(path);
    t.teardown(async () => redis.disconnect());
    const cut = () => nodes.map(({ bus }) => bus.counts.broken.carrier);
    for (const kind of ['ssubscribe', 'spublish|exec', 'ssubscribe', 'spublish|exec']) {
      const clients = String(await redis.client('LIST'));
      const [, id] = new RegExp(`^id=(\\d+) .*cmd=(${kind}) `, 'm').exec(clients)!;
      const before = cut();
      await redis.client('KILL', 'ID', id!);
      await eventually('a node has lost its links', () => cut().some((count, i) => count > before[i]!));
      await stand(nodes);
      t.same(
        cut()
          .map((count, i) => count - before[i]!)
          .sort(),
        [0, 0, 2],
        kind,
      );
      t.equal(await overtaken(nodes, 40), 0);
    }
  },
);

await t.test('connections to two servers are no way', { skip: withoutRedis }, async (t) => {
  const servers = [await openRedis(t), await openRedis(t)];
  let [count, other] = [0, 1];
  const sockets = new Set<Socket>();
  const proxy = createServer((socket) => {
    const server = connect(servers[count++ % 2 === 1 ? other : 0]!.path);
    for (const end of [socket, server]) {
      sockets.add(end);
      end.on('error', () => undefined).on('close', () => [socket, server].forEach((each) => each.destroy()));
    }
    socket.pipe(server).pipe(socket);
  });
  t.teardown(async () => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const reasons: unknown[] = [];
  const carrier = new RedisCarrier({
    ...{ id: 'x', address: `redis://127.0.0.1:${(proxy.address() as AddressInfo).port}`, installation: 'agent-poker' },
    log: { ...silent, warn: (detail: object) => reasons.push(detail) } as never,
    silentMs: 60_000,
  });
  t.teardown(() => carrier.close());
  const begun = carrier.begin({ post: () => undefined, up: () => undefined, lost: () => undefined });
  await eventually('it has tried twice', () => count >= 4);
  t.notOk(carrier.up);
  t.match(reasons, [{ reason: /not one leads/ }]);
  other = 0;
  await begun;
  t.ok(carrier.up, 'and is one where both lead to the same');
});
