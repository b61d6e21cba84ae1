/**
 * What nodes say to each other over a real Redis: one server, a Cluster, and the master that a Sentinel knows. Cut
 * connections, a Redis that freezes, begins anew or is emptied cost at most links, which are told of and stand again.
 */
import { Redis } from 'ioredis';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import t from 'tap';
import { RedisCarrier } from '../../../src/nodes/redis-carrier.js';
import { redisAddress } from '../../../src/ops/redis-address.js';
import { BusNode, frameOf } from '../../support/bus-house.js';
import { silent, type Scope } from '../../support/database.js';
import { eventually, FILE_MS } from '../../support/limits.js';
import { openCluster, openRedis, openSentinel, withoutRedis } from '../../support/redis.js';

t.setTimeout(FILE_MS);

const INSTALLATION = 'agent-poker:test';

interface House {
  nodes: BusNode[];
  /** All have links to all, and each hears what the others say now. */
  talk(): Promise<void>;
}

/** `silentMs`: a minute where no link is to break by silence, however slow the machine is. */
async function house(t: Scope, address: string, count: number, silentMs = 60_000): Promise<House> {
  const make = () =>
    new BusNode((id) => new RedisCarrier({ id, address, installation: INSTALLATION, log: silent, silentMs }), {
      silentMs,
    });
  const nodes = Array.from({ length: count }, make);
  t.teardown(async () => void (await Promise.all(nodes.map(({ bus }) => bus.close()))));
  await Promise.all(nodes.map((node) => node.begin()));
  for (const a of nodes) for (const b of nodes) if (a !== b) a.bus.peer(b.id);
  let n = 0;
  const talk = async () => {
    const at = ++n;
    for (const a of nodes) {
      for (const b of nodes) {
        if (a === b) continue;
        // Said again where it was said over a link that broke.
        await eventually(
          'a word of another',
          () => {
            if (b.from(a).includes(String(at))) return true;
            if (a.bus.peer(b.id).up) a.bus.peer(b.id).send({ n: at });
            return false;
          },
          50,
        );
      }
    }
  };
  await talk();
  return { nodes, talk };
}

/** Numbers that one node sends another, and what it reads: the first of each link on, without a gap. */
const unbroken = (heard: readonly string[]): boolean => {
  let last = 0;
  for (const line of heard) {
    if (line === 'healed' || line.startsWith('broken')) last = 0;
    else if (last !== 0 && Number(line) !== last + 1) return false;
    else last = Number(line);
  }
  return true;
};

await t.test('messages and frames of three nodes', { skip: withoutRedis }, async (t) => {
  const { path } = await openRedis(t);
  const { nodes } = await house(t, path, 3);
  const [a, b, c] = nodes as [BusNode, BusNode, BusNode];
  const before = b.from(a).length;
  for (let n = 1; n <= 200; n++) {
    a.bus.peer(b.id).send({ n: 1000 + n });
    a.bus.peer(b.id).frames(frameOf(n, `frame ${n}`));
    if (n % 3 === 0) a.bus.peer(b.id).flush();
    if (n % 10 === 0) await new Promise(setImmediate);
  }
  await b.hears(a, '200: frame 200');
  const wanted = Array.from({ length: 200 }, (_, i) => [String(1001 + i), `${i + 1}: frame ${i + 1}`]).flat();
  t.same(b.from(a).slice(before), wanted);
  t.notOk(c.from(a).includes('1001'), 'each hears what is for it');
  t.equal(b.bus.counts.again + b.bus.counts.late + b.bus.counts.unreadable, 0);
  for (const { bus } of nodes) t.same(Object.values(bus.counts.broken), [0, 0, 0, 0, 0, 0, 0]);
  a.bus.peer(c.id).frames(frameOf(5, 'f'.repeat(3_000_000)));
  await c.hears(a, '5: 3000000 bytes');
});

await t.test('connections that are cut, one by one and all at once', { skip: withoutRedis }, async (t) => {
  const { path } = await openRedis(t);
  const { nodes, talk } = await house(t, path, 2, 5000);
  const [a, b] = nodes as [BusNode, BusNode];
  const redis = new Redis(path);
  t.teardown(async () => redis.disconnect());
  let n = 10_000;
  const sending = setInterval(() => a.bus.peer(b.id).up && a.bus.peer(b.id).send({ n: ++n }), 1);
  t.teardown(async () => clearInterval(sending));
  for (let round = 0; round < 10; round++) {
    const clients = String(await redis.client('LIST'));
    const all = [...clients.matchAll(/^id=(\d+) .*cmd=(spublish|exec|ssubscribe)/gm)].map(([, id]) => id!);
    for (const id of round % 3 === 0 ? all : [all[round % all.length]!]) await redis.client('KILL', 'ID', id);
    await eventually('all are reached', () => nodes.every(({ bus }) => bus.up));
    await eventually('more arrives', () => b.from(a).includes(String(n)));
  }
  clearInterval(sending);
  await talk();
  t.ok(unbroken(b.from(a).filter((line) => line.length > 4)), 'no link lacks anything of its middle');
  t.ok(a.from(b).some((line) => line.startsWith('broken')));
});

await t.test('a Redis that freezes, is emptied, dies and begins anew', { skip: withoutRedis }, async (t) => {
  const redis = await openRedis(t);
  const { nodes, talk } = await house(t, redis.path, 2, 2000);
  const [a, b] = nodes as [BusNode, BusNode];
  const client = new Redis(redis.path, { retryStrategy: () => 50 });
  client.on('error', () => undefined);
  t.teardown(async () => client.disconnect());

  const broken = a.from(b).filter((line) => line.startsWith('broken')).length;
  await client.flushall();
  await talk();
  redis.process.kill('SIGSTOP');
  await eventually('the links are broken', () => !a.bus.peer(b.id).up && !b.bus.peer(a.id).up);
  await eventually('nobody takes Redis for up', () => nodes.every(({ bus }) => !bus.up));
  redis.process.kill('SIGCONT');
  await talk();
  t.ok(a.from(b).filter((line) => line.startsWith('broken')).length > broken);

  redis.process.kill('SIGKILL');
  await eventually('nobody takes Redis for up', () => nodes.every(({ bus }) => !bus.up));
  await redis.again();
  await talk();
  await eventually('all are reached', () => nodes.every(({ bus }) => bus.up));
});

await t.test('a Cluster', { skip: withoutRedis }, async (t) => {
  const redis = await openCluster(t);
  const { nodes, talk } = await house(t, `redis-cluster://127.0.0.1:${redis.port}`, 3, 5000);
  const [a, b] = nodes as [BusNode, BusNode];
  for (let n = 1; n <= 100; n++) a.bus.peer(b.id).send({ n: 1000 + n });
  await b.hears(a, '1100');
  const client = new Redis(redis.port);
  t.teardown(async () => client.disconnect());
  await client.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
  await talk();
  await eventually('all are reached', () => nodes.every(({ bus }) => bus.up));
});

await t.test('the master that a Sentinel knows', { skip: withoutRedis }, async (t) => {
  const { port } = await openSentinel(t, 'poker');
  const { talk } = await house(t, `redis-sentinel://127.0.0.1:${port}/poker`, 2);
  await talk();
});

await t.test('a Redis that is too old, or refuses the channel, ends the start with a clear error', async (t) => {
  const { address, say } = await oldRedis(t);
  const begin = async () => {
    const carrier = new RedisCarrier({ id: 'x', address, installation: INSTALLATION, log: silent, silentMs: 60_000 });
    t.teardown(() => carrier.close());
    await carrier.begin({ post: () => undefined, up: () => undefined, lost: () => undefined });
  };
  await t.rejects(begin(), /^Redis 6\.2\.14 cannot carry .* 7\.0 or newer is needed/m);
  say('redis_version:7.0.1', '-NOPERM this user has no permissions to access one of the channels');
  await t.rejects(begin(), /Redis refuses what nodes say to each other: NOPERM/);
});

await t.test('a server that lost the slot while a turn was written is no reason to end the start', async (t) => {
  const { address, say, asked } = await oldRedis(t);
  say('redis_version:7.4.0', '*3\r\n$10\r\nssubscribe\r\n$1\r\nx\r\n:1');
  const carrier = new RedisCarrier({ id: 'x', address, installation: INSTALLATION, log: silent, silentMs: 60_000 });
  t.teardown(() => carrier.close());
  const begun = carrier.begin({ post: () => undefined, up: () => undefined, lost: () => undefined });
  const rejected = t.rejects(begun, /closed before it could be reached/);
  const posts = ['y', 'z'].map((to) => ({ to, post: Buffer.alloc(1) }));
  await eventually('turns over two ways', async () => {
    await carrier.publish(posts).catch(() => undefined);
    return asked.filter((command) => command === 'exec').length === 2;
  });
  await carrier.close();
  await rejected;
});

await t.test('a bus that is closed while it looks for Redis begins no more', async (t) => {
  const carrier = new RedisCarrier({
    ...{ id: 'x', address: '/nowhere/redis.sock', installation: INSTALLATION, log: silent },
  });
  const begun = carrier.begin({ post: () => undefined, up: () => undefined, lost: () => undefined });
  const rejected = t.rejects(begun, /closed before it could be reached/);
  await carrier.close();
  await rejected;
  await t.rejects(carrier.publish([{ to: 'y', post: Buffer.alloc(1) }]), /closed/);
});

await t.test('addresses of Redis', async (t) => {
  t.same(redisAddress('rediss://u:p@h:1/2'), { kind: 'single', url: 'rediss://u:p@h:1/2' });
  t.same(redisAddress('redis-sentinel://us:p%40w@a,b:7,[::1]:8/poker'), {
    ...{ kind: 'sentinel', master: 'poker', username: 'us', password: 'p@w', tls: false },
    servers: [
      { host: 'a', port: 26379 },
      { host: 'b', port: 7 },
      { host: '::1', port: 8 },
    ],
  });
  t.same(redisAddress('rediss-cluster://:pw@a'), {
    ...{ kind: 'cluster', username: undefined, password: 'pw', tls: true, servers: [{ host: 'a', port: 6379 }] },
  });
  for (const wrong of ['redis-sentinel://a:1', 'redis-cluster://a/master', 'redis-cluster://', 'redis-cluster://a:x']) {
    t.throws(() => redisAddress(wrong), /Redis/, wrong);
  }
});

/** Answers as an old Redis does, or as it is told. */
async function oldRedis(t: Scope) {
  const asked: string[] = [];
  let said = { info: 'redis_version:6.2.14', ssubscribe: '-ERR unknown command' };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.setEncoding('utf8').on('data', (text: string) => {
      // Commands as arrays of bulk strings: the first is the name.
      for (const [, name] of text.matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g)) {
        const command = name!.toLowerCase();
        asked.push(command);
        if (command === 'info') socket.write(`$${said.info.length}\r\n${said.info}\r\n`);
        else if (command === 'ssubscribe') socket.write(`${said.ssubscribe}\r\n`);
        else if (command === 'hello') socket.write('*2\r\n+proto\r\n:2\r\n');
        else if (command === 'spublish') socket.write(':1\r\n');
        else if (command === 'exec') socket.write('-EXECABORT Transaction discarded because of previous errors.\r\n');
        else socket.write('+OK\r\n');
      }
    });
    t.teardown(async () => void socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => void server.close());
  const address = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { address, asked, say: (info: string, ssubscribe: string) => void (said = { info, ssubscribe }) };
}
