/** Limits of requests: in memory, in Redis, and while Redis is away. */
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { createLimits, memoryLimits, type Limiter, type Limits } from '../../src/gateway/limits.js';
import { SlidingWindow } from '../../src/gateway/sliding-window.js';
import { FakeLog, EventQueue } from '../support/gateway.js';
import { FILE_MS } from '../support/limits.js';
import { openCluster, openRedis, openSentinel, withoutRedis } from '../support/redis.js';

t.setTimeout(FILE_MS);

void t.test('a sliding window lets through exactly what a plain list of times would', async (t) => {
  // Sometimes only a part of the limit holds.
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 1, max: 3 })), {
    maxLength: 200,
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 80 }), steps, (most, pauses) => {
      const window = new SlidingWindow(most, 1000);
      let times: number[] = [];
      let now = 0;
      for (const [pause, nodes] of pauses) {
        now += pause < 150 ? 0 : pause;
        times = times.filter((time) => time > now - 1000);
        const limit = Math.ceil(most / nodes);
        const free = times.length < limit;
        const wait = free ? 0 : times[times.length - limit]! + 1000 - now;
        if (window.wait(now, limit) !== wait || window.isEmpty(now) !== (times.length === 0)) return false;
        if (window.take(now, limit) !== free) return false;
        if (free) times.push(now);
      }
      return true;
    }),
  );
  t.pass('for any limit and any times');
});

/** The rules that any implementation of Limits keeps. `pass` lets that many ms go by. */
async function keepsLimits(t: Test, limits: Limits, pass: (ms: number) => Promise<void>) {
  const limiter = limits.limiter('test', 3, 1000);
  for (let n = 0; n < 3; n++) t.equal(await limiter.take('a'), 0);
  const wait = await limiter.take('a');
  t.ok(wait > 0 && wait <= 1000, `refused, come back in ${wait} ms`);
  t.equal(await limiter.take('b'), 0, 'another key counts by itself');
  t.equal(await limits.limiter('other', 3, 1000).take('a'), 0, 'so does another limiter');
  await pass(wait + 1);
  t.equal(await limiter.take('a'), 0, 'after the wait it is let through: refusals did not count');
}

void t.test('limits in memory', async (t) => {
  let now = 0;
  const limits = memoryLimits(() => now);
  await keepsLimits(t, limits, async (ms) => {
    now += ms;
  });
  t.ok(limits.healthy);
  await limits.close();
});

void t.test('a limit of all nodes is divided in memory, rounded up, by the nodes that live now', async (t) => {
  let nodes = 3;
  const limits = memoryLimits(
    () => 0,
    () => nodes,
  );
  const taken = async (key: string, limiter: Limiter) => {
    let count = 0;
    while ((await limiter.take(key)) === 0) count++;
    return count;
  };
  const ofAll = limits.limiter('of all', 5, 1000, true);
  t.equal(await taken('a', ofAll), 2);
  t.equal(await taken('a', limits.limiter('own', 5, 1000)), 5, 'any other limit is whole');
  nodes = 1;
  t.equal(await taken('a', ofAll), 3, 'the others have ended');
  await limits.close();
});

void t.test('limits in Redis, shared by processes', { skip: withoutRedis }, async (t) => {
  const { path, process: redis } = await openRedis(t);
  const log = new FakeLog();
  const connected = new EventQueue<string>();
  log.info = (_detail, message) => connected.push(message);
  const [here, there, elsewhere] = ['a', 'a', 'b'].map((name) => createLimits(path, name, log)) as [
    Limits,
    Limits,
    Limits,
  ];
  try {
    await Promise.all([connected.next(), connected.next(), connected.next()]);
    await keepsLimits(t, here, (ms) => new Promise((resolve) => setTimeout(resolve, ms)));
    const [a, b] = [here.limiter('shared', 2, 60_000), there.limiter('shared', 2, 60_000)];
    t.same([await a.take('k'), await b.take('k')], [0, 0]);
    t.ok((await a.take('k')) > 59_000, 'what the other process let through counts here');
    t.equal(await elsewhere.limiter('shared', 2, 60_000).take('k'), 0, 'but not what another installation did');

    await elsewhere.close();
    redis.kill('SIGKILL');
    await once(redis, 'exit');
    t.equal(await a.take('k'), 0, 'with Redis gone each process counts for itself');
    t.equal(await a.take('k'), 0);
    t.ok((await a.take('k')) > 0, 'but it does count');
    while (here.healthy || there.healthy) await new Promise(setImmediate);
    const away = log.lines.filter(({ message }) => message.startsWith('Redis is away'));
    t.equal(away.length, 2, 'who has stopped says nothing of it');
  } finally {
    await Promise.all([here.close(), there.close(), elsewhere.close()]);
  }
});

void t.test('Redis that answers errors is away, until it does what it is asked', { skip: withoutRedis }, async (t) => {
  const { path } = await openRedis(t);
  const operator = new Redis(path);
  t.teardown(async () => operator.disconnect());
  const log = new FakeLog();
  const said = new EventQueue<string>();
  log.info = log.warn = (_detail, message) => said.push(message);
  const limits = createLimits(path, 'a', log);
  t.teardown(() => limits.close());
  t.match(await said.next(), 'Redis is connected');
  const limiter = limits.limiter('some', 1, 60_000);
  t.equal(await limiter.take('k'), 0);
  for (const [breaks, mends] of [
    // Like a replica that a failover leaves behind.
    ['replicaof 127.0.0.1 1', 'replicaof no one'],
    ['acl setuser default -eval -evalsha', 'acl setuser default +eval +evalsha'],
  ] as const) {
    const ask = (command: string) => operator.call(...(command.split(' ') as [string, ...string[]]));
    await ask(breaks);
    t.match(await said.next(), 'Redis is away: each process counts its own limits', `${breaks}: without a request`);
    t.notOk(limits.healthy);
    t.equal(typeof (await limiter.take('l')), 'number', 'this process counts');
    await ask(mends);
    t.match(await said.next(), 'Redis is connected');
    t.ok(limits.healthy);
  }
  t.same(said.rest, [], 'each told once');
});

void t.test('limits in a Cluster, and at the master that a Sentinel knows', { skip: withoutRedis }, async (t) => {
  const addresses = [
    `redis-cluster://127.0.0.1:${(await openCluster(t)).port}`,
    `redis-sentinel://127.0.0.1:${(await openSentinel(t, 'poker')).port}/poker`,
  ];
  for (const address of addresses) {
    const log = new FakeLog();
    const connected = new EventQueue<string>();
    log.info = (_detail, message) => connected.push(message);
    const both = [createLimits(address, 'a', log), createLimits(address, 'a', log)] as const;
    try {
      await Promise.all([connected.next(), connected.next()]);
      const [here, there] = both.map((limits) => limits.limiter('shared', 3, 60_000)) as [Limiter, Limiter];
      // Each key of a Cluster has a slot of its own.
      for (const key of ['k', 'l', 'm']) {
        t.same([await here.take(key), await there.take(key), await here.take(key)], [0, 0, 0], address);
        t.ok((await there.take(key)) > 59_000, 'what the other process let through counts here');
      }
      t.ok(both.every(({ healthy }) => healthy));
    } finally {
      for (const limits of both) await limits.close();
    }
  }
});

void t.test('limits while Redis cannot be reached at all', async (t) => {
  const log = new FakeLog();
  const warned = new EventQueue<string>();
  log.warn = (_detail, message) => warned.push(message);
  const limits = createLimits(join(tmpdir(), 'agent-poker-no-redis-here.sock'), 'a', log);
  t.match(await warned.next(), 'Redis is away');
  await keepsLimits(t, limits, (ms) => new Promise((resolve) => setTimeout(resolve, ms)));
  t.notOk(limits.healthy);
  t.same(warned.rest, [], 'told once, however often it is tried again');
  await limits.close();
});
